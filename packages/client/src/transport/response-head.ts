import { type Call, redactText } from './call.ts';
import { runtime } from './deadline.ts';
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
  return {
    status: response.status,
    headers,
    get requestId() {
      const requestId = headerOf(headers, 'x-request-id');
      return requestId === null ? undefined : redactText(call, requestId);
    },
    receivedAt: runtime.now(),
  };
}
