/** A response as a plain value. `toResponse` makes a `Response` of it, and `serve` writes it to a socket. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
}

export type AnswerBody = null | WholeBody | ReadableStream<Uint8Array>;

/** A complete body: one text, or its parts in order. The bytes are shared, so do not change them. */
export type WholeBody = string | readonly (string | Uint8Array)[];

/**
 * A `fetch` that can also return its response as an {@link Answer}, so that `serve` needs no `Response`.
 *
 * `answer` is a property of the function, because `serve` receives only the function. If a caller wraps the function,
 * the wrapper has no `answer`, so `serve` cannot bypass it. A wrapper with an `answer` of its own may return a
 * `Response` from it.
 */
export type AnsweringFetch = ((request: Request) => Response | Promise<Response>) & {
  readonly answer?: ((request: Request) => Promise<Answer | Response>) | undefined;
};

export function toResponse({ body, ...init }: Answer): Response {
  return new Response(Array.isArray(body) ? joined(body) : (body as Exclude<AnswerBody, readonly unknown[]>), init);
}

/** Joins the parts into one chunk, so that the response has a known length. */
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
