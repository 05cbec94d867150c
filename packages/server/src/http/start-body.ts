import { unlessAborted } from '@memory-read/contract/event-loop';

/** The source of a body. The result with `done: true` can hold the last chunk. */
export interface Chunks {
  next(): Promise<{
    readonly done?: boolean | undefined;
    readonly value?: Uint8Array<ArrayBuffer> | string | undefined;
  }>;
  /** Releases what the source holds. It is called at most once. */
  return(reason: unknown): Promise<unknown>;
}

/** What ends a body early, and receives its failure. */
export interface BodyScope {
  /** Aborts when the caller has closed the connection. */
  readonly signal: AbortSignal;
  /** Receives a failure after the first chunk. */
  readonly reportError: (error: unknown) => void;
}

/**
 * Returns a body after reading its first chunk: the chunk itself if it is the only one, and otherwise a stream.
 *
 * A failure before the first chunk rejects, so that it can become a 500. A later one breaks off the stream: a part must
 * never look like the whole body. Each further chunk is read when it is requested.
 *
 * The source is released when the body ends, fails or is cancelled, when `signal` aborts, and when the stream is
 * garbage collected, for example because only the status of the response was read.
 */
export async function startBody(
  chunks: Chunks,
  scope: BodyScope,
): Promise<Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array>> {
  const source = releasable(chunks, scope.signal);
  const first = await source.next();
  return first.done ? (first.value ?? '') : toStream(first, source, scope);
}

type Chunk = Awaited<ReturnType<Chunks['next']>>;

/** A source that an abort or its last chunk releases. */
interface Releasable {
  next(): Promise<Chunk>;
  release(reason?: unknown): void;
}

/** Must not hold the stream, see {@link releaseWhenCollected}. */
function releasable(chunks: Chunks, signal: AbortSignal): Releasable {
  let isReleased = false;
  const leave = () => release(signal.reason);
  const release = (reason?: unknown) => {
    if (isReleased) return;
    isReleased = true;
    signal.removeEventListener('abort', leave);
    // A failure that led to the release says more than one of the release.
    chunks.return(reason).catch(() => {});
  };
  signal.addEventListener('abort', leave);
  return {
    release,
    async next() {
      try {
        signal.throwIfAborted();
        const chunk = await unlessAborted(chunks.next(), signal);
        if (chunk.done) release();
        return chunk;
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** Calls `release` when the stream is garbage collected. `release` must not hold the stream. */
export function releaseWhenCollected(stream: ReadableStream, release: () => unknown): void {
  collected?.register(stream, release);
}

// Some workers do not have the class. An unread body then stays open until its request is aborted.
const collected =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<() => unknown>((release) => release());

function toStream(first: Chunk, source: Releasable, { reportError }: BodyScope): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Chunk | undefined = first;
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = next ?? (await source.next());
          next = undefined;
          // Changing a cancelled stream would throw.
          if (isCancelled) return;
          if (value !== undefined) controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
          if (done) controller.close();
        } catch (error) {
          reportError(error);
          if (!isCancelled) controller.error(error);
        }
      },
      cancel(reason) {
        isCancelled = true;
        source.release(reason);
      },
    },
    { highWaterMark: 0 },
  );
  releaseWhenCollected(stream, source.release);
  return stream;
}
