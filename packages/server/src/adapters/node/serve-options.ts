import { longestTimer } from '@memory-read/contract/event-loop';
import { refuseNumber } from '@memory-read/contract/options';
import { assertOptions } from '../../assert-options.ts';
import type { PlainResponse } from '../../http/plain-response.ts';
import type { ConnectionHook } from './connection-hook.ts';
import type { RequestEndEvent } from './request-observer.ts';

/** Options of {@link serve}. */
export interface ServeOptions {
  /**
   * Handler of the requests, such as `createMemoryApi(…).respond`.
   *
   * It returns a `Response`, or a plain value, which `serve` sends faster. If you pass on a changed request, create it
   * with `new Request(request.url, request)`. `new Request(request)` fails, because the request is not an instance of
   * the platform's class.
   */
  fetch: (request: Request) => Response | PlainResponse | Promise<Response | PlainResponse>;
  /** Port to listen on. 0 selects a free port. */
  port: number;
  /**
   * Address to listen on. Default: `127.0.0.1`. An empty address is rejected, because Node would listen on all
   * addresses.
   */
  hostname?: string | undefined;
  /** Maximum time until a request has arrived completely, in milliseconds, from 1 to 2,147,483,647. Default: 60,000. */
  requestTimeout?: number | undefined;
  /**
   * Maximum time in which the caller takes none of the bytes that wait to be sent, in milliseconds, from 1 to
   * 2,147,483,647. The connection is then reset. Default: 60,000.
   *
   * Every byte that the caller takes restarts the time. It begins up to one second late. The time that `fetch` needs
   * does not count.
   */
  sendTimeout?: number | undefined;
  /**
   * Time for which a connection stays open without a request after its last response, in milliseconds, from 1 to
   * 2,147,483,647. Default: 65,000. Responses announce it in `Keep-Alive`; Node adds one second.
   *
   * It must be longer than the time for which a proxy in front keeps an unused connection. Otherwise the proxy can send
   * a request in the moment in which the server closes the connection, and that request gets no response.
   */
  keepAliveTimeout?: number | undefined;
  /**
   * Maximum number of open connections, from 1 on. Default: 1,000.
   *
   * A new connection above it replaces the connection that has been idle for longest. If a response is in flight on
   * every connection, the new one is reset.
   */
  maxConnections?: number | undefined;
  /**
   * Maximum number of unanswered requests on one connection, from 1 on. It includes the request that is being answered.
   * One more request resets the connection. Default: 16.
   */
  maxPipelined?: number | undefined;
  /**
   * Addresses and networks of the proxies in front, such as `10.0.0.1`, `10.0.0.0/8` and `::1`. Default: none.
   *
   * If the connection comes from one of them, `clientAddress` of `onEnd` is read from the header `X-Forwarded-For`, from
   * the right: the first address that is not trusted counts. An invalid entry ends the search. List only
   * machines that no caller controls, because their headers are believed.
   */
  trustedProxies?: readonly string[] | undefined;
  /**
   * Maximum time that `close` waits for responses in flight, in milliseconds, from 1 to 2,147,483,647. Default: 10,000.
   */
  closeTimeout?: number | undefined;
  /**
   * Callback that receives errors of `fetch`, including a response that cannot be sent. The caller gets a 500. Default:
   * `console.error`.
   */
  onError?: ((error: unknown) => void) | undefined;
  /**
   * Callback that receives each request after its response has ended, even if Node could not read it. An error that it
   * throws is ignored.
   *
   * `request` is the one that `fetch` got, so you can find by its identity what `onRequest` of `createMemoryApi` reported.
   * It is undefined if `fetch` was not called. If the connection ends early, `fetch` may still be running.
   *
   * A pipelined request that still waits for its turn when the connection ends is not reported. Default: none.
   */
  onEnd?: ((event: RequestEndEvent, request?: Request | undefined) => void) | undefined;
  /** @internal */
  connection?: ConnectionHook | undefined;
}

/** @throws TypeError if Node would misread an option. */
export function assertServeOptions(options: ServeOptions): void {
  assertOptions('start the server', options, partsOfServer, 'Pass { fetch, port }');
  const { hostname, requestTimeout, sendTimeout, keepAliveTimeout, closeTimeout } = options;
  const { maxConnections, maxPipelined } = options;
  if (hostname === '') throw refusal('hostname is empty', 'Pass an address such as 127.0.0.1, or leave it out');
  const numbers = { requestTimeout, sendTimeout, keepAliveTimeout, closeTimeout, maxConnections, maxPipelined };
  for (const [name, value] of Object.entries(numbers)) {
    const refused = value === undefined ? undefined : refuseNumber(name, value, [1, longestTimer]);
    if (refused) throw refusal(refused.reason, refused.advice);
  }
}

const partsOfServer = {
  fetch: 'function',
  port: 'port',
  // Node would listen on all addresses for null.
  'hostname?': 'string',
  'trustedProxies?': 'array',
  'onError?': 'function',
  'onEnd?': 'function',
  // Checked above, or of this repository.
  'requestTimeout?': 'any',
  'sendTimeout?': 'any',
  'keepAliveTimeout?': 'any',
  'closeTimeout?': 'any',
  'maxConnections?': 'any',
  'maxPipelined?': 'any',
  'connection?': 'any',
} as const;

function refusal(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to start the server: ${reason}. ${advice}.`);
}
