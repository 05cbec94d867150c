import type { MemoryClientHooks } from './client-hooks.ts';
import type { ValidationMode } from './validation/check-response.ts';

/** How the API key travels: see section 5 of the specification. `none` sends no key. */
export type AuthScheme = 'bearer' | 'x-api-key' | 'none';

/** Returns the API key to use now. */
export type ApiKeyProvider = () => string | Promise<string>;

/** Sends one request; the global `fetch` fits, and so does the `fetch` of a server or a mock in the same process. */
export type SendRequest = (request: Request) => Response | Promise<Response>;

/** How a {@link MemoryClient} reaches the API. Durations are milliseconds from 1 to 2,147,483,647. */
export interface MemoryClientOptions {
  /**
   * Root of the API, without `/v1`; a path prefix is kept. Default: the environment's `MEMORY_API_URL`.
   *
   * A relative one, such as `/api`, needs `auth: 'none'` and a page to be relative to.
   */
  baseUrl?: string | URL | undefined;
  /**
   * The account's key, or a function that returns it. Default: the environment's `MEMORY_API_KEY`.
   *
   * A function is called for each attempt and each look-up of a remembered media URL, within the timeout, and in the
   * asynchronous context of the method's caller; its rejection passes through to the caller.
   */
  apiKey?: string | ApiKeyProvider | undefined;
  /** How the key travels. `none` is for a frontend that talks to its own backend. Default: `bearer`. */
  auth?: AuthScheme | undefined;
  /**
   * Sends the requests, for a proxy or a connection pool of your own; called with one `Request`, which holds the key, or
   * with one for media, which goes to a storage and does not.
   *
   * Default: the global `fetch`, looked up at each request.
   */
  fetch?: SendRequest | undefined;
  /** Longest duration of one attempt, its body included. Default: 30,000. */
  timeout?: number | false | undefined;
  /** Longest duration of a whole call: attempts, waits between them, bodies. Default: 120,000. */
  totalTimeout?: number | false | undefined;
  /** Attempts beyond the first. Default: 2. */
  retries?: number | undefined;
  /**
   * How closely responses are checked. Default: `strict`.
   *
   * `strict` rejects a wrong JSON type and an absent field that is never null, at any depth; `warn` lets them pass and
   * reports them to `onDrift`; `off` checks nothing but the outermost array or object, and fills in nothing.
   */
  validation?: ValidationMode | undefined;
  /**
   * Sent with each request, as a plain record. Refused are `authorization`, `x-api-key`, and what describes the
   * connection, such as `host`. Without a `user-agent`, this package and its version are named, but for browsers.
   */
  headers?: Record<string, string> | undefined;
  /**
   * Called as things happen, for logs, metrics and traces; those that are there when the client is made. One that is no
   * function is refused.
   */
  hooks?: MemoryClientHooks | undefined;
  /** Allows `http://` beyond `localhost`, `127.0.0.0/8` and `[::1]`, where anyone on the way can read the key. Default: false. */
  allowInsecureHttp?: boolean | undefined;
  /** Allows a key in a browser, where its user can read it. Default: false. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** What one call may do differently from its client. */
export interface RequestOptions {
  /** Ends the call at once; it then rejects with the signal's own reason. That of another realm, such as jsdom's, will do. */
  signal?: AbortSignal | undefined;
  /** As in {@link MemoryClientOptions.timeout}. */
  timeout?: number | false | undefined;
  /** As in {@link MemoryClientOptions.totalTimeout}. */
  totalTimeout?: number | false | undefined;
  /** As in {@link MemoryClientOptions.retries}. */
  retries?: number | undefined;
  /** As in {@link MemoryClientOptions.validation}. */
  validation?: ValidationMode | undefined;
  /** Added to the client's headers, or in place of those with the same name. */
  headers?: Record<string, string> | undefined;
}
