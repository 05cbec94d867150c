/** What ends a body that is being sent, and where its failure is reported. */
export interface BodyObservers {
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Called once for a failure after the first chunk, unless the reader has left. */
  reportError: (error: unknown) => void;
}

/**
 * The same bytes, the first chunk of which has been read: until then a failure rejects, and can still become a 500.
 *
 * Nothing further is read before it is asked for.
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
          // To close a cancelled body throws as well.
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

/** While it is awaited there is no response that could be cancelled: the source learns from the signal. */
async function firstChunk(reader: Reader, signal: AbortSignal): Promise<Chunk> {
  const abandon = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', abandon, { once: true });
  try {
    return await reader.read();
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
