export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** Thrown when the `fetch` option returns a response that cannot be read. */
export class UnreadableResponse extends TypeError {
  constructor(response: string) {
    super(`the fetch option answered with ${response}`);
  }
}

/** Maximum size of a body: 256 MiB. */
const MAXIMUM_BODY_BYTES = 256 * 1024 * 1024;

/** Maximum size of an error body: 1 MiB. */
const MAXIMUM_ERROR_BYTES = 1024 * 1024;

/**
 * Returns the reader of a body; undefined if the response has no stream.
 *
 * A signal does not end a body reliably: runtimes follow it through requests that may be collected as garbage. The
 * reader can be cancelled.
 */
export function openBody({ type, bodyUsed, body }: Response): BodyReader | undefined {
  if (type === 'error') throw new TypeError('The fetch answered with Response.error().');
  if (bodyUsed || body?.locked) throw new UnreadableResponse('a Response whose body was read already');
  if (body && typeof body.getReader !== 'function') throw new UnreadableResponse('a body that is no ReadableStream');
  return body?.getReader();
}

/** Returns the whole body as text; undefined if it is too large. */
export async function readBody(response: Response, reader: BodyReader | undefined): Promise<string | undefined> {
  // Without streams, as in React Native, a body can only be read as a whole.
  if (reader === undefined) return response.text();
  const maximum = response.status === 200 ? MAXIMUM_BODY_BYTES : MAXIMUM_ERROR_BYTES;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new TextDecoder().decode(joinChunks(chunks, length));
    if (!ArrayBuffer.isView(value)) throw new UnreadableResponse(`a body of ${typeof value}s, not of bytes`);
    chunks.push(value);
    length += value.byteLength;
    if (length > maximum) return undefined;
  }
}

function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const joined = new Uint8Array(length);
  let position = 0;
  for (const chunk of chunks) {
    joined.set(chunk, position);
    position += chunk.byteLength;
  }
  return joined;
}
