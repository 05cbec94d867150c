export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** Thrown when the `fetch` option returns a response that cannot be read. */
export class UnreadableResponse extends TypeError {
  readonly problem: string;
  readonly remedy: string;

  constructor(response: string) {
    const problem = `the fetch option returned ${response}`;
    const remedy = 'Return a new Response for each request.';
    super(`Failed to read the response: ${problem}. ${remedy}`);
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** Throws for `Response.error()`, which stands for a failed connection. */
export function throwIfErrorResponse({ type }: Response): void {
  if (type !== 'error') return;
  throw new TypeError('Failed to fetch: the response is Response.error(). Check the network and the fetch option.');
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
export function openBody(response: Response): BodyReader | undefined {
  throwIfErrorResponse(response);
  const { bodyUsed, body } = response;
  if (bodyUsed || body?.locked) throw new UnreadableResponse('a Response whose body was already read');
  if (body && typeof body.getReader !== 'function') throw new UnreadableResponse('a body that is not a ReadableStream');
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
    if (!ArrayBuffer.isView(value)) throw new UnreadableResponse(`a body of type ${typeof value} instead of bytes`);
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
