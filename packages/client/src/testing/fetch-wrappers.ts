type Fetch = typeof globalThis.fetch;

const keyFields = [
  'url',
  'method',
  'mode',
  'redirect',
  'credentials',
  'referrer',
  'referrerPolicy',
  'integrity',
] as const;

/**
 * Returns a `fetch` that memoizes requests during one render, as in React and in server components of Next.js.
 *
 * The rules: a GET or HEAD is memoized by its URL and its key: method, headers, mode, redirect, credentials, referrer,
 * referrer policy and integrity. A `signal` in `init` opts out, and so does `keepalive`. The signal of a `Request` does
 * not opt out, because each `Request` has one. Each caller gets a clone of the memoized response.
 */
export function memoizeInRender(fetch: Fetch): Fetch {
  const memoized = new Map<string, Promise<Response>>();
  return async (input, init) => {
    if (init?.signal) return fetch(input, init);
    const request = input instanceof Request ? input : new Request(input, init);
    if ((request.method !== 'GET' && request.method !== 'HEAD') || request.keepalive) return fetch(input, init);
    const key = JSON.stringify([[...request.headers], ...keyFields.map((name) => request[name])]);
    const response = memoized.get(key) ?? fetch(input, init);
    memoized.set(key, response);
    return (await response).clone();
  };
}

/**
 * Returns a `fetch` that follows only the `signal` in `init`, as that of zone.js does.
 *
 * It sets a signal of its own in the object that it is given, and so replaces the signal of a `Request`.
 */
export function followInitOnly(fetch: Fetch): Fetch {
  return (input, init = {}) => {
    const { signal } = init;
    const aborting = new AbortController();
    init.signal = aborting.signal;
    signal?.addEventListener('abort', () => aborting.abort(), { once: true });
    return fetch(input, init);
  };
}
