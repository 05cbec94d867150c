import type { RequestEndEvent } from './request-observer.ts';

/** What `serve` listens with. */
export interface ServeOptions {
  /**
   * Answers a request, such as `createMemoryApi(…).fetch`. Passed itself, that function is served faster than one around
   * it, because no `Response` is made of its answers. To pass a changed request on, make it of the URL and of this one,
   * `new Request(request.url, request)`: it is no request of the platform, which another could be made of.
   */
  fetch: (request: Request) => Response | Promise<Response>;
  /** 0 takes a free one. */
  port: number;
  /** Address to listen on; `127.0.0.1` by default. An empty one, which Node takes for all addresses, is refused. */
  hostname?: string | undefined;
  /** Milliseconds in which a request has to arrive whole, 1 to 2,147,483,647; 60,000 by default. */
  requestTimeout?: number | undefined;
  /** Milliseconds that `close` waits for responses that are under way, 1 to 2,147,483,647; 10,000 by default. */
  closeTimeout?: number | undefined;
  /**
   * Lets the adapter put lighter classes in place of the global `Request` and `Response`, for a `fetch` that makes many
   * responses of its own; false by default. It makes no difference to the `fetch` of `createMemoryApi`.
   */
  overrideGlobalObjects?: boolean | undefined;
  /** Told of what `fetch` throws, or returns and cannot be sent; the caller gets a 500. Printed with `console.error` by default. */
  onError?: ((error: unknown) => void) | undefined;
  /** Told of each request once its response is over, those that Node could not read included; what it throws is ignored. */
  onEnd?: ((event: RequestEndEvent) => void) | undefined;
}

/** @throws TypeError when an option is one that Node would take for something else. */
export function assertServeOptions({ hostname, requestTimeout, closeTimeout }: ServeOptions): void {
  if (hostname === '') throw refusal('the hostname is empty', 'Pass an address such as 127.0.0.1, or leave it out');
  for (const [name, value] of Object.entries({ requestTimeout, closeTimeout })) {
    if (value === undefined || isDuration(value)) continue;
    throw refusal(`the ${name} is ${String(value)}`, `Pass milliseconds from 1 to ${longestTimer}`);
  }
}

/** Beyond it, and for what is no number, a timer of Node's runs out at once. */
const longestTimer = 2 ** 31 - 1;

function isDuration(milliseconds: number): boolean {
  return typeof milliseconds === 'number' && milliseconds >= 1 && milliseconds <= longestTimer;
}

function refusal(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to serve: because ${reason}. ${advice}.`);
}
