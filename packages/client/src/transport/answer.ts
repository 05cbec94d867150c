import { InvalidResponseError, type InvalidResponseReason } from '../errors/invalid-response-error.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import { type Call, errorContext } from './call.ts';
import type { Exchange, ResponseHead } from './exchange.ts';
import { redact } from './redact.ts';
import { createStatusError } from './status-error.ts';

/** A 200 whose body is JSON. */
export interface Answer {
  readonly head: ResponseHead;
  readonly body: unknown;
}

/** Turns what arrived into JSON or a typed error. */
export function readAnswer(
  call: Call,
  exchange: Exchange,
  text: string,
): { readonly answer: Answer } | { readonly failure: AnyMemoryApiError } {
  const { head, isTooLarge } = exchange;
  if (head === undefined) throw new TypeError('Failed to read an answer: because no fetch was made.');
  const invalid = (reason: InvalidResponseReason, problem: string, remedy: string) => ({
    failure: new InvalidResponseError(`Failed to ${call.action}: because ${problem}. ${remedy}`, {
      ...errorContext(call, head.requestId),
      reason,
    }),
  });

  if (head.status === 206)
    return invalid('partial', 'the server answered 206 with a part only', 'Report it to the API.');
  if (head.status !== 200) return { failure: createStatusError(call, exchange, head, text) };
  if (isTooLarge) return invalid('too_large', 'the body is larger than 256 MiB', 'Check the base URL.');
  if (hasNextPage(head.headers)) {
    return invalid('partial', 'the server answered with one page of several', 'Update this package.');
  }
  const body = parseJson(text);
  if (body !== undefined) return { answer: { head, body } };
  const label = redact(head.headers.get('content-type') ?? 'no content type', exchange.apiKey);
  return invalid('not_json', `the body is no JSON (${label}, ${text.length} characters)`, 'Check the base URL.');
}

function hasNextPage(headers: Headers): boolean {
  const link = headers.get('link');
  return link !== null && /;\s*rel\s*=\s*(?:next\s*(?:[,;]|$)|"(?:[^"]*\s)?next(?:\s[^"]*)?")/i.test(link);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
