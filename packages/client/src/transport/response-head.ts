import { type Call, redactText } from './call.ts';
import { runtime } from './deadline.ts';
import { headerOf, headersOf } from './header-of.ts';

/** Status and headers of a response. */
export class ResponseHead {
  declare readonly status: number;
  declare readonly headers: Headers;
  declare readonly receivedAt: Date;
  declare readonly call: Call;

  constructor(call: Call, response: Response) {
    this.status = response.status;
    this.headers = headersOf(response);
    this.receivedAt = runtime.now();
    this.call = call;
  }

  /** Read on demand, because most calls need none. */
  get requestId(): string | undefined {
    const requestId = headerOf(this.headers, 'x-request-id');
    return requestId === null ? undefined : redactText(this.call, requestId);
  }
}
