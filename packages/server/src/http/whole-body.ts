/** A body that is there as a whole: one text, or its parts in order, as text or UTF-8 that nobody may change. */
export type WholeBody = string | readonly (string | Uint8Array)[];

const bodies = new WeakMap<Response, WholeBody>();

/** A response that tells its whole body, so that who sends it need not read it out of a stream. */
export function rememberBody(response: Response, body: WholeBody): Response {
  bodies.set(response, body);
  return response;
}

/** `undefined` where the body is a stream, was made elsewhere, or has been read. */
export function wholeBodyOf(response: Response): WholeBody | undefined {
  return response.bodyUsed ? undefined : bodies.get(response);
}

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
