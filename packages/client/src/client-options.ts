import type { MemoryClientHooks } from './client-hooks.ts';
import type { ValidationMode } from './validation/check-response.ts';

/** How the API key is sent; `none` sends no key. See section 5 of the specification. */
export type AuthScheme = 'bearer' | 'x-api-key' | 'none';

/** Returns the API key to use now. */
export type ApiKeyProvider = () => string | Promise<string>;

/** Sends one request. The global `fetch` fits, and so does the `fetch` of a server or a mock in the same process. */
export type SendRequest = (request: Request) => Response | Promise<Response>;

/** Options of a {@link MemoryClient}. Durations range from 1 to 2,147,483,647 milliseconds. */
export interface MemoryClientOptions extends Omit<RequestOptions, 'signal' | 'headers'> {
  /**
   * Root URL of the API, without `/v1`. A path prefix is kept. Default: the environment variable `MEMORY_API_URL`.
   *
   * A relative URL, such as `/api`, needs `auth: 'none'` and a page to resolve it against.
   */
  baseUrl?: string | URL | undefined;
  /**
   * API key of the account, or a function that returns it. Default: the environment variable `MEMORY_API_KEY`.
   *
   * The function is called for each attempt and each use of a cached media URL. Its time counts towards the timeout. It
   * runs in the asynchronous context of the caller. If it rejects, the call rejects with the same error.
   *
   * The variables complete each other only: MEMORY_API_KEY is read if `baseUrl` is missing too or equals MEMORY_API_URL, and
   * MEMORY_API_URL only if `apiKey` is missing too.
   */
  apiKey?: ApiKey | undefined;
  /**
   * How the key is sent. `none` is for a frontend that calls its own backend: a key of the client is then not sent, but
   * still hidden in errors. Default: `bearer`.
   */
  auth?: AuthScheme | undefined;
  /**
   * Function that sends the requests, for example through a proxy or a connection pool. Default: the global `fetch`.
   *
   * It is called with one `Request`; the global `fetch` is called with a URL and an init object. A request to the API holds the key; a request to the media storage does not.
   */
  fetch?: SendRequest | undefined;
  /**
   * Headers of each request, as a plain record. Default: a `user-agent` with the name and version of this package,
   * except in browsers.
   *
   * `authorization`, `x-api-key` and headers of the connection, such as `host`, are refused.
   */
  headers?: Record<string, string> | undefined;
  /**
   * Functions that are called on events, for logs, metrics and traces. Default: none. They are read once, when the
   * client is created.
   */
  hooks?: MemoryClientHooks | undefined;
  /**
   * Whether `http://` is allowed for hosts other than `localhost`, `127.0.0.0/8` and `[::1]`. Default: false.
   *
   * Anyone on the network can then read the key.
   */
  allowInsecureHttp?: boolean | undefined;
  /**
   * Origins from which `openMedia` and `saveMedia` may download, such as `https://media.example.com`. `https://*.example.com`
   * stands for every name below `example.com`. `[]` allows none. Default: depends on the URL of the API.
   *
   * By default, `http:` is allowed only if the API uses it. Loopback addresses are allowed only if the API is on one, and
   * private addresses only if the API is on a private or loopback address. Link-local addresses are never allowed. Names
   * are not resolved.
   */
  mediaOrigins?: readonly string[] | undefined;
  /** Whether an API key is allowed in a browser, where its user can read it. Default: false. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** API key, or a function that returns it. */
export type ApiKey = string | ApiKeyProvider;

/** Options of one call. They override those of the client, which is one account: a call has no `apiKey`. */
export interface RequestOptions {
  /**
   * Signal that aborts the call. The call then rejects with the signal's reason. A signal of another realm, such as
   * jsdom's, also works. Default: none.
   */
  signal?: AbortSignal | undefined;
  /**
   * Maximum duration of one attempt, including the body, in milliseconds. `false` sets no limit. Default of a call: that of
   * the client. Default of a client: 30,000 (30 seconds).
   */
  timeout?: number | false | undefined;
  /**
   * Maximum duration of a whole call with its retries and backoff, in milliseconds. `false` sets no limit. Default of a
   * call: that of the client. Default of a client: 120,000 (2 minutes).
   */
  totalTimeout?: number | false | undefined;
  /**
   * Maximum number of retries after the first attempt. `0` disables retries. Default of a call: that of the client. Default
   * of a client: 2.
   */
  retries?: number | undefined;
  /**
   * Longest `Retry-After` that the client obeys, in milliseconds. If a server requests more, a call or a download fails at
   * once, and a wait or a watch polls again after this time. Default of a call: that of the client. Default of a client:
   * 120,000 (2 minutes) for calls and downloads, and 3,600,000 (1 hour) for waits and watches.
   */
  maxRetryAfter?: number | undefined;
  /**
   * Largest body of a response, in bytes after decompression, from 1 to 536,870,888. Default of a call: that of the client.
   * Default of a client: 268,435,456 (256 MiB).
   *
   * A larger body is not read to its end: the call rejects with `InvalidResponseError`. Media downloads have no limit.
   */
  maxResponseBytes?: number | undefined;
  /**
   * Mode in which responses are checked. Default of a call: that of the client. Default of a client: `strict`.
   *
   * - `strict` rejects a response with a wrong JSON type, or without a field that is never null.
   * - `warn` reports such differences to `onDrift` and returns the response.
   * - `skip` leaves such memories out of a list and reports them to `onDrift`. If all are invalid, it rejects the list. A
   *   single memory is checked as in `strict`. Waits and watches read their lists in this mode instead of `strict`.
   * - `off` checks only whether the response is an array or an object, and adds no missing fields.
   */
  validation?: ValidationMode | undefined;
  /**
   * Headers that are added to those of the client. A header with the same name replaces the client's. Default: none.
   */
  headers?: Record<string, string> | undefined;
}
