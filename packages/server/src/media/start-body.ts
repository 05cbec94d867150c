/** What cancels a body that is being sent, and reports its failure. */
export interface BodyObservers {
  /** Aborts when the caller has closed the connection. */
  signal: AbortSignal;
  /** Receives a failure after the first chunk, unless the body was cancelled. */
  reportError: (error: unknown) => void;
}

/**
 * Returns the same bytes after reading the first chunk: a failure before it rejects and can become a 500.
 *
 * Each further chunk is read when it is requested.
 */
export async function startBody(
  source: ReadableStream<Uint8Array>,
  { signal, reportError }: BodyObservers,
): Promise<ReadableStream<Uint8Array>> {
  const reader = source.getReader();
  let first: Chunk | undefined = await firstChunk(reader, signal);
  let isCancelled = false;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value, done } = first ?? (await reader.read());
          first = undefined;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          // Closing a cancelled body would throw too.
          if (isCancelled) return;
          reportError(error);
          controller.error(error);
        }
      },
      cancel(reason) {
        isCancelled = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Chunk = Awaited<ReturnType<Reader['read']>>;

/** Cancels the source on abort: as long as the first chunk is read, there is no response that could be cancelled. */
async function firstChunk(reader: Reader, signal: AbortSignal): Promise<Chunk> {
  const abandon = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', abandon, { once: true });
  try {
    return await reader.read();
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
