import type { SendRequest } from '../client-options.ts';

/** A request that was sent. */
export interface SentRequest {
  /** The request of the `fetch` option. Node.js loses an abort if it is collected as garbage before the response. */
  readonly request?: Request;
  readonly response: Response | Promise<Response>;
}

/** Calls the `fetch` option with one `Request`. Without the option, it calls the global `fetch` with a URL and an init object. */
export function callFetch(fetch: SendRequest | undefined, url: string, init: RequestInit): SentRequest {
  // Wrappers of the global fetch look for the signal in init only. Without it there, React answers a retry from its memory,
  // and zone.js loses an abort.
  if (fetch === undefined) return { response: globalThis.fetch(url, init) };
  const request = new Request(url, init);
  return { request, response: fetch(request) };
}
