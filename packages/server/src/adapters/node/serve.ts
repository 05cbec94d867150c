import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { printError, quietly } from '../../http/observers.ts';
import { createRequestIds } from '../../http/request-ids.ts';
import { type ProblemMessage, problemMessage, problemResponse } from '../../http/responses.ts';
import { breakOffOnFailure } from './break-off-on-failure.ts';
import { createResponseTracker } from './response-tracker.ts';
import { answerUnreadableRequest, problemOfParser } from './unreadable-request.ts';

/** What {@link serve} listens with. */
export interface ServeOptions {
  /** Answers a request, such as `createMemoryApi(…).fetch`. */
  fetch: (request: Request) => Response | Promise<Response>;
  /** 0 takes a free one. */
  port: number;
  /** Address to listen on; `127.0.0.1` by default. */
  hostname?: string | undefined;
  /** Milliseconds in which a request has to arrive whole; 60,000 by default. */
  requestTimeout?: number | undefined;
  /** Milliseconds that `close` waits for responses that are under way; 10,000 by default. */
  closeTimeout?: number | undefined;
  /** Lets the adapter put lighter classes in place of the global `Request` and `Response`, for about twice the throughput; false by default. */
  overrideGlobalObjects?: boolean | undefined;
  /** Told of what `fetch` throws; the caller gets a 500. By default it is printed with `console.error`. */
  onError?: ((error: unknown) => void) | undefined;
}

/** A server that listens. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:8787`, without a slash at its end. */
  url: string;
  port: number;
  /** Stops listening, lets responses that are under way end, and resolves when all connections are closed. Idempotent. */
  close(): Promise<void>;
}

/**
 * A Node HTTP server for a fetch handler, once it listens.
 *
 * Errors that Node itself would answer with an empty body carry `{detail}` like all others, and a body that fails
 * half-way breaks the connection off instead of ending well-formed.
 *
 * @throws Error with the system's error as `cause` when it cannot listen, such as on a port that is taken (`EADDRINUSE`).
 *
 * @example
 * ```ts
 * const server = await serve({ fetch: api.fetch, port: 0 });
 * console.log(`The API is at ${server.url}/v1`);
 * await server.close(); // lets responses that are under way end
 * ```
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { hostname = '127.0.0.1', port, closeTimeout = 10_000 } = options;
  const server = createNodeServer(options);
  await listen(server, hostname, port);

  const address = server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    close: () => (closed ??= close(server, closeTimeout)),
  };
}

function createNodeServer({ onError: reportError = printError, ...options }: ServeOptions): Server {
  const requestIds = createRequestIds();
  const requestIdOf = (incoming?: IncomingMessage) => requestIds(incoming?.headers['x-request-id']?.toString());
  const underWay = createResponseTracker();
  const answer = getRequestListener(withUnbrokenBodies(options.fetch), {
    overrideGlobalObjects: options.overrideGlobalObjects ?? false,
    errorHandler: (error) => {
      if (error instanceof RequestError) return problemResponse('bad-request', requestIdOf());
      quietly(() => reportError(error));
      return problemResponse('internal-server-error', requestIdOf());
    },
  });

  const server = createServer(limits(options.requestTimeout ?? 60_000), (incoming, outgoing) => {
    underWay.add(incoming.socket, outgoing, () => {
      // A connection kept alive would keep a closing server waiting for a next request.
      if (!server.listening) server.closeIdleConnections();
    });
    if (hasOneHost(incoming)) void answer(incoming, outgoing);
    else send(problemMessage('bad-request', requestIdOf(incoming)), outgoing);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Part of a response may have been sent: a second one must not follow it.
    if (underWay.hasBegun(socket)) socket.destroy();
    else answerUnreadableRequest(problemOfParser(error), socket, requestIdOf());
  });
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    send(problemMessage('expectation-failed', requestIdOf(incoming)), outgoing);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    answerUnreadableRequest('method-not-allowed', socket, requestIdOf(incoming));
  });
  return server;
}

/** Node looks for late requests only now and then, and would refuse a missing host with an empty body. */
function limits(requestTimeout: number): ServerOptions {
  const connectionsCheckingInterval = Math.min(requestTimeout, 5_000);
  return { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval, requireHostHeader: false };
}

/** HTTP/1.1 asks for exactly one Host; 1.0, which some health checks still speak, for none. */
function hasOneHost(incoming: IncomingMessage): boolean {
  const isHost = (name: string, index: number) => index % 2 === 0 && name.toLowerCase() === 'host';
  const hosts = incoming.rawHeaders.filter(isHost).length;
  if (hosts === 0 && incoming.httpVersion === '1.0') {
    incoming.headers.host = 'localhost';
    return true;
  }
  return hosts === 1;
}

/** In one go: a request that turns out to be broken just then must not lose its answer. */
function send({ status, headers, body }: ProblemMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

function withUnbrokenBodies(fetch: ServeOptions['fetch']) {
  return async (request: Request, { outgoing }: { outgoing: { destroy(): unknown } }) =>
    breakOffOnFailure(await fetch(request), outgoing);
}

function listen(server: Server, hostname: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new Error(`Failed to listen on ${hostname}:${port}: because ${reasonOf(cause)}`, { cause }));
    });
    server.listen(port, hostname, resolve);
  });
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return 'the port is in use. Stop what listens there, or choose another port.';
  if (code === 'EACCES') return 'this user may not use the port. Choose one above 1023.';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'this machine has no such address. Choose one of its own.';
  return `${message}. Choose another address or port.`;
}

function close(server: Server, closeTimeout: number): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), closeTimeout);
    server.close(() => {
      clearTimeout(impatience);
      resolve();
    });
    server.closeIdleConnections();
  });
}
