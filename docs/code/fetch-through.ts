import type { SendRequest } from '@memory-read/client';
import { type Dispatcher, fetch } from 'undici';

/** Returns a `fetch` option that uses a dispatcher of undici: a proxy or a connection pool. */
export function fetchThrough(dispatcher: Dispatcher): SendRequest {
  // undici does not accept the Request class of the runtime, so pass the URL.
  return async ({ url, method, headers, redirect, signal }) => {
    const response = await fetch(url, { method, headers: [...headers], redirect, signal, dispatcher });
    return response as unknown as Response;
  };
}
