import type { SendRequest } from '@memory-read/client';
import { type Dispatcher, fetch } from 'undici';

/** A `fetch` option that sends through a dispatcher of undici: a proxy or a pool of connections. */
export function fetchThrough(dispatcher: Dispatcher): SendRequest {
  // undici takes a URL: the Request of the runtime is not one of its own.
  return async ({ url, method, headers, redirect, signal }) => {
    const response = await fetch(url, { method, headers: [...headers], redirect, signal, dispatcher });
    return response as unknown as Response;
  };
}
