import type { problems } from '@memory-read/contract/operations';
import {
  AuthenticationError,
  InvalidRequestError,
  MemoryNotFoundError,
  RateLimitError,
  ServerError,
  type StatusErrorInit,
  UnexpectedResponseError,
} from '../errors/errors.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import { isServerFault, isTransientStatus } from '../policy/failure-policy.ts';
import { type Call, errorContext, failureMessage, redactText, shownHost, shownMemoryId } from './call.ts';
import { readErrorBody } from './error-body.ts';
import type { ResponseHead } from './response-head.ts';
import { parseRetryAfter } from './retry-after.ts';

type Detail<Name extends keyof typeof problems> = (typeof problems)[Name]['detail'];

/** The details of `missing-api-key` and `invalid-api-key`. */
const keyFault = /^(Missing|Invalid) API key$/;

/** Any other 404 comes from a gateway or a wrong base URL, and says nothing about the memory. */
const memoryNotFound: Detail<'memory-not-found'> = 'Memory not found';

/** The redirect statuses of fetch, without 300 and 304. */
const redirectStatus = /^30[12378]$/;

/** Creates the typed error for a status other than 200. */
export function createStatusError(call: Call, head: ResponseHead, text: string): AnyMemoryApiError {
  const { status, headers } = head;
  const body = readErrorBody(text, (value) => redactText(call, value));
  const init: StatusErrorInit = {
    ...errorContext(call, head),
    // Koa answers the visitors of an app with any status of an error.
    status: status < 400 ? 0 : status,
    detail: body.detail,
    retryAfterMs: parseRetryAfter(headers, head.receivedAt),
  };
  const memoryId = shownMemoryId(call);
  const isMissing = status === 404 && memoryId !== undefined && body.wireDetail === memoryNotFound;
  const server = status === 404 && !isMissing ? `the server at ${shownHost(call)}` : 'the server';
  const failed = (remedy: string, detail = quote(body.detail)) =>
    failureMessage(call, `${server} answered ${status}${detail}. ${remedy}`);

  if (status === 401) {
    const fault = keyFault.exec(body.wireDetail ?? '')?.[1]?.toLowerCase() as 'missing' | 'invalid' | undefined;
    const message = failed(keyRemedy(call), fault && ` (${fault} key)`);
    return new AuthenticationError(message, { ...init, reason: fault ? `${fault}_key` : 'unknown' });
  }
  if (isMissing) {
    return new MemoryNotFoundError(failed('Check the id, and that the API key belongs to the account of the memory.'), {
      ...init,
      memoryId,
    });
  }
  if (status === 422)
    return new InvalidRequestError(failed('Check the id and the options of the call.'), {
      ...init,
      issues: body.issues,
    });
  if (status === 429) return new RateLimitError(failed('Send fewer requests, or try again later.'), init);
  const remedy = isTransientStatus(status) ? 'Try again later.' : unexpectedRemedy(call, status, init);
  return new (isServerFault(status) ? ServerError : UnexpectedResponseError)(failed(remedy), init);
}

function keyRemedy({ client: { settings, sources } }: Call): string {
  if (settings.auth === 'none')
    return "Check the login of your backend: with auth: 'none', the client sends no API key.";
  return `Check ${sources.apiKey}.`;
}

function unexpectedRemedy(call: Call, status: number, { responseHeaders, detail }: StatusErrorInit): string {
  const checked = `Check ${call.client.sources.baseUrl}`;
  if (status === 0) return `${checked}: the client does not follow redirects.`;
  if (status === 404 || status === 405)
    return `${checked}: it is probably wrong. Pass the root of the API, without /v1.`;
  const location = responseHeaders?.location;
  if (location !== undefined && redirectStatus.test(`${status}`))
    return `${checked}: the client does not follow the redirect to ${location}.`;
  // A page without a reason comes from a gateway or another host.
  if (status === 403)
    return `${detail ? 'Check' : `${checked}, and`} what the API key and its plan are allowed to read.`;
  return 'Contact the operator of the API, or of the proxy in front of it.';
}

function quote(detail: string | undefined): string {
  return detail === undefined ? '' : ` (${JSON.stringify(detail)})`;
}
