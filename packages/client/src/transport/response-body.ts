import { describe } from '../configuration/option-kinds.ts';
import { ConfigurationError, type ErrorContext } from '../errors/errors.ts';
import { faultCode } from './cause-chain.ts';
import { readProperty, type SafeCause, safeCause } from './safe-cause.ts';

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

/** What the network or the `fetch` option failed with. Any other error inside an attempt is a mistake of the program. */
export class NetworkFault {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** Throws the error for a mistake of the program; returns for any other fault. */
export function throwMisuse(
  fault: unknown,
  action: string,
  { secrets, ...context }: ErrorContext & { readonly secrets: Iterable<string> },
): void {
  const cause = safeCause(fault, secrets);
  const problem = fault instanceof UnreadableResponse ? fault.problem : describeMistake(fault, cause);
  if (problem !== undefined)
    throw new ConfigurationError(`Failed to ${action}: ${problem}`, { ...context, option: 'fetch', cause });
}

/** No network causes these errors of JavaScript and Node.js. A TypeError can be either. */
function describeMistake(fault: unknown, cause: SafeCause | undefined): string | undefined {
  // The request is always valid for undici, so this code means that the dispatcher does not fit.
  if (faultCode(cause) === 'UND_ERR_INVALID_ARG')
    return 'the dispatcher comes from another version of undici than fetch (UND_ERR_INVALID_ARG). Use the fetch of its undici.';
  const name = readProperty(Object(fault), 'name');
  if (!/^(Reference|Syntax|Range)Error$/.test(String(name)) && !cause?.code?.startsWith('ERR_INVALID_'))
    return undefined;
  return `fetch threw ${name}: ${cause?.message}. Correct the fetch option.`;
}

/** Returns what `fetch` has returned if it can be read. Throws for `Response.error()`, which is a failed connection. */
export function checkFetched(response: Response): Response {
  let { body, status, text, bodyUsed, type }: Partial<Response> = {};
  try {
    ({ body, status, text } = Object(response) as Response);
    ({ bodyUsed, type } = response);
  } catch {
    // What a getter hides counts as missing.
  }
  if (typeof status !== 'number' || typeof (body ? body.getReader : text) !== 'function')
    throw new UnreadableResponse(`${describe(response)}, which is not a Response with a ReadableStream`);
  if (bodyUsed || body?.locked) throw new UnreadableResponse('a Response whose body was already read');
  if (type === 'error')
    throw new TypeError('Failed to fetch: the response is Response.error(). Check the network and the fetch option.');
  return response;
}

/** Returns the reader of a body; undefined without streams, as in React Native. */
export function openBody({ body }: Response): BodyReader | undefined {
  if (!body) return undefined;
  let reader: Partial<BodyReader> | undefined;
  try {
    reader = body.getReader();
  } catch {}
  if (typeof reader?.read !== 'function') throw new UnreadableResponse('a Response whose body has no reader');
  return reader as BodyReader;
}

/** Returns a chunk of a body if it is bytes. */
export function checkChunk(chunk: unknown): Uint8Array {
  if (ArrayBuffer.isView(chunk)) return chunk as Uint8Array;
  throw new UnreadableResponse(`a body of type ${typeof chunk} instead of bytes`);
}

/** Maximum size of an error body: 1 MiB. */
const MAXIMUM_ERROR_BYTES = 1024 * 1024;

/** Size from which a body is decoded in batches: 1 MiB. A shorter one takes more time with batches. */
const LONG_BYTES = 1024 * 1024;

/**
 * Size of a batch: 256 KiB. V8 copies young strings when it collects garbage. If that happens while a long body is read,
 * the call takes up to twice the time. It does not copy strings of 128 KiB and more.
 */
const BATCH_BYTES = 256 * 1024;

const more = { stream: true };

/** Returns the whole body as text; undefined if it has more bytes than the maximum. */
export async function readBody(
  response: Response,
  reader: BodyReader | undefined,
  maximumBytes: number,
): Promise<string | undefined> {
  const maximum = response.status === 200 ? maximumBytes : Math.min(maximumBytes, MAXIMUM_ERROR_BYTES);
  // Without streams, a body can only be read as a whole.
  if (reader === undefined) {
    let text: unknown;
    try {
      text = await response.text();
    } catch (cause) {
      throw new NetworkFault(cause);
    }
    if (typeof text !== 'string') throw new UnreadableResponse(`a text of type ${typeof text}`);
    return text.length > maximum ? undefined : text;
  }
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  let batch: Uint8Array | undefined;
  let filled = 0;
  let result: ReadableStreamReadResult<Uint8Array>;
  for (;;) {
    try {
      result = await reader.read();
    } catch (cause) {
      throw new NetworkFault(cause);
    }
    const { done, value } = Object(result) as typeof result;
    if (done) return text + decoder.decode(batch?.subarray(0, filled));
    const chunk = checkChunk(value);
    const { buffer, byteOffset, byteLength: size } = chunk;
    length += size;
    if (length > maximum) return undefined;
    if (filled + size > BATCH_BYTES) {
      text += decoder.decode(batch?.subarray(0, filled), more);
      filled = 0;
    }
    if (length < LONG_BYTES || size > BATCH_BYTES) text += decoder.decode(chunk, more);
    else {
      batch ??= new Uint8Array(BATCH_BYTES);
      batch.set(new Uint8Array(buffer, byteOffset, size), filled);
      filled += size;
    }
  }
}
