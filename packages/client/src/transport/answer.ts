import { InvalidResponseError, type InvalidResponseReason } from '../errors/invalid-response-error.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import { type Call, errorContext, failureMessage, redactText } from './call.ts';
import type { Exchange, ResponseHead } from './exchange.ts';
import { parseJson } from './parse-json.ts';
import { createStatusError } from './status-error.ts';

/** A 200 whose body is JSON. */
export interface Answer {
  readonly head: ResponseHead;
  readonly body: unknown;
}

/** Turns what arrived into JSON or a typed error. */
export function readAnswer(
  call: Call,
  { head, isTooLarge, text = '' }: Exchange,
): { readonly answer: Answer } | { readonly failure: AnyMemoryApiError } {
  if (head === undefined) throw new TypeError('Failed to read an answer: because no fetch was made.');
  const invalid = (reason: InvalidResponseReason, problem: string, remedy: string) => ({
    failure: new InvalidResponseError(failureMessage(call, problem, remedy), {
      ...errorContext(call, head.requestId),
      reason,
    }),
  });

  if (head.status === 206)
    return invalid('partial', 'the server answered 206 with a part only', 'Report it to the API.');
  if (head.status !== 200) return { failure: createStatusError(call, head, text) };
  if (isTooLarge) return invalid('too_large', 'the body is larger than 256 MiB', 'Check the base URL.');
  if (call.operation === 'listMemories' && hasNextPage(head.headers)) {
    return invalid('partial', 'the server answered with one page of several', 'Update this package.');
  }
  const body = parseJson(text);
  if (body !== undefined) return { answer: { head, body } };
  const label = redactText(call, head.headers.get('content-type') ?? 'no content type');
  return invalid('not_json', `the body is no JSON (${label}, ${text.length} characters)`, 'Check the base URL.');
}

function hasNextPage(headers: Headers): boolean {
  const link = headers.get('link');
  return link !== null && /;\s*rel\s*=\s*(?:next\s*(?:[,;]|$)|"(?:[^"]*\s)?next(?:\s[^"]*)?")/i.test(link);
}
