import type { SendEvent } from './delivery-types.ts';

/** Options of {@link createWebhookSender}. */
export interface WebhookOptions {
  /** URL that receives the events. It is a secret: messages name only its origin. */
  url: string | URL;
  /** Secret that signs the events: `whsec_` and 24 to 64 bytes in Base64. Several sign side by side. */
  secret: string | readonly string[];
  /** Milliseconds of one try. Default: 15,000. */
  timeout?: number | undefined;
  /** Whether to accept `http://` of a host that is not this machine. Default: `false`. */
  allowInsecureHttp?: boolean | undefined;
  /** Sends the requests. Default: `fetch` of the runtime. */
  fetch?: typeof fetch | undefined;
}

/** Returns a function that posts events to a webhook, signed as Standard Webhooks says. */
export function createWebhookSender(_options: WebhookOptions): SendEvent {
  throw new Error('not yet');
}
