/** A body that is there as a whole: one text, or its parts in order, as text or UTF-8 that nobody may change. */
export type WholeBody = string | readonly (string | Uint8Array)[];

/** The parts, encoded when they are read; what is handed out is a copy. */
export function streamOf(parts: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const left = parts[Symbol.iterator]();
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { value, done } = left.next();
    if (done) controller.close();
    else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value.slice());
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
