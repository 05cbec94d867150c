import { systemClock } from '@memory-read/contract/date-time';
import manifest from '../../package.json' with { type: 'json' };
import { checkOptions, invalidOption, readCount, readFlag } from '../options/check-options.ts';
import { DeliveryError, isDeliveryError } from './delivery-error.ts';
import type { SendEvent } from './delivery-types.ts';
import { noResponse, refusal } from './webhook-failure.ts';
import { readSecrets, signatures } from './webhook-secret.ts';
import { readWebhookUrl } from './webhook-url.ts';

/** Options of {@link createWebhookSender}. */
export interface WebhookOptions {
  /** URL that receives the events. Treat it as a secret: messages name only its origin. */
  url: string | URL;
  /** Secret that signs the events: `whsec_` and 24 to 64 bytes in Base64. Several sign side by side. */
  secret: string | readonly string[];
  /** Milliseconds of one try, 1 to 86,400,000. Default: 15,000. */
  timeout?: number | undefined;
  /** Whether to accept `http://` of a host that is not this machine. Default: `false`. */
  allowInsecureHttp?: boolean | undefined;
  /**
   * Sends the requests. Use it to refuse addresses or to add headers. A {@link DeliveryError} that it throws is kept.
   * Default: `fetch` of the runtime.
   */
  fetch?: typeof fetch | undefined;
}

const optionNames = ['url', 'secret', 'timeout', 'allowInsecureHttp', 'fetch'];

/**
 * Returns a function that posts events to a webhook, signed as Standard Webhooks says.
 *
 * A status 2xx accepts an event. Redirects are not followed. Any other result is a {@link DeliveryError} that names the
 * origin of the URL and the status, or the code of the network error.
 *
 * @example
 * ```ts
 * const send = createWebhookSender({
 *   url: 'https://n8n.example.com/webhook/4f1c',
 *   secret: process.env.MEMORY_READ_WEBHOOK_SECRET ?? '',
 * });
 * const { delivered, pending } = await mirror.deliver('n8n', send, { types: ['memory.processed'] });
 * console.log(delivered, pending);
 * ```
 *
 * @throws {@link MirrorError} with the code `invalid_option`.
 */
export function createWebhookSender(options: WebhookOptions): SendEvent {
  const action = 'create a webhook sender';
  checkOptions(action, options, optionNames);
  const { fetch: send = (...request) => fetch(...request) } = options;
  if (typeof send !== 'function') throw invalidOption(action, 'fetch is not a function', 'Pass a function, or nothing');
  const url = readWebhookUrl(action, options.url, readFlag(action, 'allowInsecureHttp', options.allowInsecureHttp));
  const keys = readSecrets(action, options.secret);
  const timeout = readCount(action, 'timeout', options.timeout, { min: 1, max: 86_400_000, default: 15_000 });

  return async ({ id }, { body, signal }) => {
    const timestamp = String(Math.floor(systemClock.now().getTime() / 1000));
    const deadline = AbortSignal.timeout(timeout);
    const request = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `memory-read/${manifest.version}`,
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures(keys, `${id}.${timestamp}.${body}`),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, deadline]),
    } as const;
    const response = await beforeAbort(() => send(url.href, request), request.signal).catch((error: unknown) => {
      if (isDeliveryError(error)) throw error;
      if (!request.signal.aborted) throw noResponse(url.origin, error);
      const limit = deadline.aborted ? `within ${timeout} ms` : 'before the deliveries were ended';
      throw new DeliveryError(`${url.origin} did not answer ${limit}`, { action: 'unavailable' });
    });
    // An unread body would keep its connection.
    response.body?.cancel().catch(() => {});
    if (!response.ok) throw refusal(url.origin, response);
  };
}

/** Rejects when the signal is aborted, also if the `fetch` of a caller ignores it. */
async function beforeAbort(send: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end);
  try {
    signal.throwIfAborted();
    return await Promise.race([send(), promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
