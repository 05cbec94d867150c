/** What a request is answered with, as a plain value: `toResponse` makes a `Response` of it, `serve` writes it to a socket. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
}

export type AnswerBody = null | WholeBody | ReadableStream<Uint8Array>;

/** A body that is there as a whole: one text, or its parts in order, as text or UTF-8 that nobody may change. */
export type WholeBody = string | readonly (string | Uint8Array)[];

/**
 * A `fetch` that can also return its answer as a value, of which no `Response` has to be made to send it.
 *
 * `answer` is a property of the function, not of the API: `serve` is given no more than the function, and must not bypass
 * one that a caller puts around it. A function that passes a request on, and whose `answer` does so too, may also have
 * responses of its own.
 */
export type AnsweringFetch = ((request: Request) => Response | Promise<Response>) & {
  readonly answer?: ((request: Request) => Promise<Answer | Response>) | undefined;
};

export function toResponse({ body, ...init }: Answer): Response {
  return new Response(Array.isArray(body) ? joined(body) : (body as Exclude<AnswerBody, readonly unknown[]>), init);
}

/** One chunk, so that whatever sends the response can send its length. */
function joined(parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const chunks = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
