import { isLoopback, parseUrl } from '@memory-read/contract/base-url';
import { invalidOption } from '../options/check-options.ts';

/** Returns the URL of a webhook. No message repeats its path, which is a secret. */
export function readWebhookUrl(action: string, value: unknown, allowInsecureHttp: boolean): URL {
  const fail = (reason: string, advice: string) => {
    throw invalidOption(action, reason, advice);
  };
  const text = value instanceof URL ? value.href : value;
  // The parser accepts `https:example.com`, which is most likely a mistake.
  const url = typeof text === 'string' && /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined) return fail('url is not an http or https URL', 'Pass one, such as https://example.com/events');
  if (url.username !== '' || url.password !== '') {
    return fail('url has a user or a password', 'Put a secret into the path or the query');
  }
  if (url.href.includes('#'))
    return fail('url has a fragment, which is never sent', 'Remove the # and what follows it');
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) {
    return fail(`${url.origin} is not encrypted`, 'Use https, or set allowInsecureHttp');
  }
  return url;
}
