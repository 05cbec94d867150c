import { type Call, redactText } from './call.ts';

/** Status and headers of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  readonly receivedAt: Date;
}

export function readHead(call: Call, { status, headers }: Response): ResponseHead {
  const requestId = headers.get('x-request-id') ?? undefined;
  return { status, headers, requestId: requestId && redactText(call, requestId), receivedAt: call.runtime.now() };
}
