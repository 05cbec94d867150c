import { describe } from '../configuration/option-kinds.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { ErrorContext } from '../errors/memory-api-error.ts';

export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** Thrown when `fetch` returns no response that can be read. */
export class UnreadableResponse extends TypeError {
  readonly problem: string;

  constructor(response: string) {
    const problem = `fetch returned ${response}. Return a new Response for each request.`;
    super(`Failed to read the response: ${problem}`);
    this.problem = problem;
  }
}

/** Throws the error for an unreadable response; returns for any other fault. */
export function throwMisuse(fault: unknown, action: string, context?: ErrorContext): void {
  if (!(fault instanceof UnreadableResponse)) return;
  throw new ConfigurationError(`Failed to ${action}: ${fault.problem}`, { ...context, option: 'fetch' });
}

/** Returns what `fetch` has returned if it can be read. Throws for `Response.error()`, which is a failed connection. */
export function checkFetched(response: Response): Response {
  const { status, headers, type, bodyUsed, body, text }: Partial<Response> = Object(response);
  const isUsable = [headers?.get, body ? body.getReader : text].every((method) => typeof method === 'function');
  if (typeof status !== 'number' || !isUsable)
    throw new UnreadableResponse(`${describe(response)}, which is not a Response with a ReadableStream`);
  if (bodyUsed || body?.locked) throw new UnreadableResponse('a Response whose body was already read');
  if (type === 'error')
    throw new TypeError('Failed to fetch: the response is Response.error(). Check the network and the fetch option.');
  return response;
}

/** Returns a chunk of a body if it is bytes. */
export function checkChunk(chunk: unknown): Uint8Array {
  if (ArrayBuffer.isView(chunk)) return chunk as Uint8Array;
  throw new UnreadableResponse(`a body of type ${typeof chunk} instead of bytes`);
}

/** Maximum size of an error body: 1 MiB. */
const MAXIMUM_ERROR_BYTES = 1024 * 1024;

/** Returns the whole body as text; undefined if it has more bytes than the maximum. */
export async function readBody(
  response: Response,
  reader: BodyReader | undefined,
  maximumBytes: number,
): Promise<string | undefined> {
  const maximum = response.status === 200 ? maximumBytes : Math.min(maximumBytes, MAXIMUM_ERROR_BYTES);
  // Without streams, as in React Native, a body can only be read as a whole.
  if (reader === undefined) {
    const text = `${await response.text()}`;
    return text.length > maximum ? undefined : text;
  }
  // Decoding chunk by chunk is faster than joining a long list first.
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    const chunk = checkChunk(value);
    length += chunk.byteLength;
    if (length > maximum) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
}
