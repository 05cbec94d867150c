import { type Call, redactText } from './call.ts';
import { headerOf, headersOf } from './header-of.ts';

/** Status and headers of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  readonly receivedAt: Date;
}

export function readHead(call: Call, response: Response): ResponseHead {
  const headers = headersOf(response);
  const requestId = headerOf(headers, 'x-request-id') ?? undefined;
  return {
    status: response.status,
    headers,
    requestId: requestId && redactText(call, requestId),
    receivedAt: call.runtime.now(),
  };
}
