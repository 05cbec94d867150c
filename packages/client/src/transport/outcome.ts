import { countOf } from '../count-of.ts';
import { InvalidResponseError, type InvalidResponseReason } from '../errors/errors.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import { type Call, errorContext, failureMessage, redactText } from './call.ts';
import { createStatusError } from './create-status-error.ts';
import { headerOf } from './header-of.ts';
import { isCutJson, parseJson } from './parse-json.ts';
import type { ResponseHead } from './response-head.ts';

/** A response with status 200 and a JSON body. */
export interface JsonResponse {
  readonly head: ResponseHead;
  readonly body: unknown;
}

/** How an attempt ended. An abort by the caller and a rejection of the apiKey function are thrown instead. */
export type Outcome = { readonly response: JsonResponse } | { readonly failure: AnyMemoryApiError };

/** Turns a response into JSON or a typed error. The text is undefined if the body is too large or did not arrive. */
export function readOutcome(call: Call, head: ResponseHead, text: string | undefined): Outcome {
  const invalid = (reason: InvalidResponseReason, problem: string, remedy: string) => ({
    failure: new InvalidResponseError(failureMessage(call, `${problem}. ${remedy}`), {
      ...errorContext(call, head),
      reason,
    }),
  });

  if (head.status === 206)
    return invalid(
      'partial',
      'the server answered 206 with only a part of the response',
      'Report it to the operator of the API.',
    );
  if (head.status !== 200) return { failure: createStatusError(call, head, text ?? '') };
  if (text === undefined) {
    const limit = countOf(call.settings.maxResponseBytes, 'byte');
    return invalid(
      'too_large',
      `the body is larger than maxResponseBytes (${limit})`,
      `Check ${call.client.sources.baseUrl}, or raise maxResponseBytes.`,
    );
  }
  if (call.operation === 'listMemories' && hasNextPage(head.headers)) {
    return invalid('partial', 'the server sent only one page of the list', 'Update this package.');
  }
  const body = parseJson(text);
  if (body !== undefined) return { response: { head, body } };
  const length = countOf(text.length, 'character');
  if (isCutJson(text))
    return invalid(
      'cut_json',
      `the body is JSON that was cut off after ${length}`,
      'Check the proxies between this client and the API.',
    );
  const label = redactText(call, headerOf(head.headers, 'content-type') ?? 'no content type');
  return invalid('not_json', `the body is not JSON (${label}, ${length})`, `Check ${call.client.sources.baseUrl}.`);
}

function hasNextPage(headers: Headers): boolean {
  const link = headerOf(headers, 'link');
  return link !== null && /;\s*rel\s*=\s*(?:next\s*(?:[,;]|$)|"(?:[^"]*\s)?next(?:\s[^"]*)?")/i.test(link);
}
