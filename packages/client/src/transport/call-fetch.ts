import type { SendRequest } from '../client-options.ts';

/**
 * Sends a GET request that follows no redirect.
 *
 * Calls the `fetch` option with one `Request`. Without the option, it calls the global `fetch` with a URL and an init object.
 */
export function callFetch(
  fetch: SendRequest | undefined,
  url: string,
  options: RequestInit & { readonly signal: AbortSignal },
): Promise<Response> {
  const init: RequestInit = { method: 'GET', redirect: 'manual', ...options };
  // Wrappers of the global fetch look for the signal in init only. Without it there, React answers a retry from its memory,
  // and zone.js loses an abort.
  if (!fetch) return globalThis.fetch(url, init);
  const request = new Request(url, init);
  // The callback keeps the request: Node.js loses an abort if it is collected as garbage before the response.
  return Promise.resolve(fetch(request)).finally(() => request);
}
