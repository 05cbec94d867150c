import { createServer, type IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { longestTimer, quietly } from '@memory-read/contract/event-loop';
import { listenProblem } from '@memory-read/contract/file-errors';
import type { ProblemName } from '@memory-read/contract/operations';
import { printError } from '../../http/observers.ts';
import { cancelBody, problemResponse } from '../../http/plain-response.ts';
import { createRequestIds } from '../../http/request-ids.ts';
import { hasDotSegment } from '../../http/request-path.ts';
import { createClientAddressOf } from './client-address.ts';
import { type ConnectionQueues, createConnectionQueues } from './connection-queues.ts';
import { NodeResponse, type SentResponse } from './node-response.ts';
import { readResponse } from './read-response.ts';
import { createRequestObserver } from './request-observer.ts';
import { resetConnection } from './reset-connection.ts';
import { assertServeOptions, type ServeOptions } from './serve-options.ts';
import { answerUnreadableRequest, problemOfParser } from './unreadable-request.ts';

/** A server that accepts requests. */
export interface RunningServer {
  /** Base URL, such as `http://127.0.0.1:8787`, without a slash at its end. */
  url: string;
  /** Port of the server. */
  port: number;
  /**
   * Stops accepting requests, waits for responses in flight, and resolves when all connections are closed. Idempotent.
   */
  close(): Promise<void>;
}

/**
 * Starts an HTTP server on Node for a fetch handler. It resolves when the server accepts requests.
 *
 * Errors for which Node would send an empty body contain `{detail}` like all others. If a body fails midway, the
 * connection is reset, so that the body does not look complete, not even to a proxy that uses HTTP/1.0.
 *
 * Requests of one connection are given to `fetch` one after another: the next one begins when the response before it
 * has been handed to the operating system.
 *
 * A target with a segment `.` or `..`, each dot also as `%2e`, is a 404 before `fetch` is called.
 *
 * @throws TypeError if a time, a limit or a trusted proxy is invalid, or the hostname is empty.
 * @throws Error if it cannot listen, for example on a port in use (`EADDRINUSE`). Its `cause` is the error of the
 * system.
 *
 * @example
 * ```ts
 * const server = await serve({ fetch: api.respond, port: 0 });
 * console.log(`The API is at ${server.url}/v1`);
 * await server.close(); // waits for responses in flight
 * ```
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  assertServeOptions(options);
  const { hostname = '127.0.0.1', port, closeTimeout = 10_000 } = options;
  const connections = createConnectionQueues(options);
  const server = createNodeServer(options, connections);
  await listen(server, hostname, port);
  connections.watchSending(server);
  const address = server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    close: () => (closed ??= close(server, connections, closeTimeout)),
  };
}

function createNodeServer(options: ServeOptions, connections: ConnectionQueues): Server {
  const { fetch, onEnd, onError: reportError = printError, connection: hook } = options;
  const clientAddressOf = createClientAddressOf(options.trustedProxies);
  const observer = onEnd && createRequestObserver(onEnd, clientAddressOf);
  const requestIds = createRequestIds<[]>();
  const requestIdOf = (incoming?: IncomingMessage) => requestIds(incoming?.headers['x-request-id']?.toString());
  const callFetch = getRequestListener(respond, {
    // An empty Host names no host.
    hostname: 'localhost',
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      throw error;
    },
  });

  const server = (hook?.createServer ?? createServer)(nodeOptions(options), (_, outgoing: NodeResponse) => {
    connections.add(outgoing, answer);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuseInTurn(problemOfParser(error), { socket }, { requestId: requestIdOf() });
  });
  server.on('checkExpectation', (_: IncomingMessage, outgoing: NodeResponse) => {
    connections.add(outgoing, (refused) => {
      begin(refused);
      refuse('expectation-failed', refused);
    });
  });
  server.on('connect', (incoming: IncomingMessage) => {
    connections.takeOver(incoming.socket);
    refuseInTurn('method-not-allowed', incoming, { requestId: requestIdOf(incoming), method: 'CONNECT' });
  });
  server.on(server instanceof Server ? 'connection' : 'secureConnection', connections.open);
  // Node keeps an address that it has read. After a reset by the caller, the operating system no longer has it.
  server.on('connection', (socket: Socket) => void socket.remoteAddress);
  server.on('timeout', connections.onTimeout);
  return server;

  function begin(outgoing: NodeResponse): void {
    observer?.observe(outgoing);
    outgoing.fetch = hook?.begin(outgoing);
  }

  function answer(outgoing: NodeResponse): void {
    const { req: incoming } = outgoing;
    begin(outgoing);
    // The adapter resolves dot segments, so `fetch` would get another path than a proxy in front has checked.
    if (!hasOneHost(incoming)) refuse('bad-request', outgoing);
    else if (hasDotSegment(incoming.url ?? '')) refuse('route-not-found', outgoing);
    // The adapter rejects if the target of the request is not a URL.
    else callFetch(incoming, outgoing).catch(() => refuse('bad-request', outgoing));
  }

  function refuse(problem: ProblemName, outgoing: NodeResponse): void {
    outgoing.send(problemResponse(problem, requestIdOf(outgoing.req)));
  }

  /** The type of the adapter includes responses of HTTP/2, which this server does not support. */
  async function respond(request: Request, bindings: { outgoing: unknown }): Promise<Response> {
    const outgoing = bindings.outgoing as NodeResponse;
    outgoing.request = request;
    let sent: SentResponse | undefined;
    try {
      const response = await (outgoing.fetch ?? fetch)(request);
      if (response === undefined && outgoing.fetch) return RESPONSE_ALREADY_SENT;
      // A `Response` of another class, such as that of a package, has `bodyUsed` too.
      const isPlain = response?.status !== undefined && !('bodyUsed' in response);
      sent = isPlain ? response : await readResponse(response as Response);
      outgoing.send(sent);
    } catch (error) {
      if (sent !== undefined) cancelBody(sent);
      // After the connection has ended, an error is usually the abort of the request, not a failure.
      if (!outgoing.destroyed) {
        quietly(() => reportError(error));
        // Node keeps the reason phrase of headers that it has refused.
        outgoing.statusMessage = '';
        if (outgoing.headersSent) outgoing.breakOff();
        else refuse('internal-server-error', outgoing);
      }
    }
    return RESPONSE_ALREADY_SENT;
  }

  function refuseInTurn(
    problem: ProblemName,
    incoming: Pick<IncomingMessage, 'socket'> & Partial<IncomingMessage>,
    request: { requestId: string; method?: string },
  ): void {
    const { socket } = incoming;
    // If part of a response was sent, a second one must not follow it.
    if (connections.hasBegun(socket)) return void resetConnection(socket);
    connections.refuse(socket, () => {
      if (!socket.writable) return;
      const refused = answerUnreadableRequest(problem, socket, request.requestId);
      observer?.report(incoming, { ...request, ...refused });
    });
  }
}

/** Node checks for late requests only at intervals, and would send an empty body for a missing Host. */
function nodeOptions({ requestTimeout = 60_000, keepAliveTimeout = 65_000 }: ServeOptions) {
  return {
    ServerResponse: NodeResponse,
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.min(requestTimeout, 5_000),
    // Node adds up to one second.
    keepAliveTimeout: Math.min(keepAliveTimeout, longestTimer - 1_000),
    requireHostHeader: false,
  };
}

/** HTTP/1.1 requires exactly one Host, which may be empty. HTTP/1.0, which some health checks use, requires none. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  // Raw headers alternate between names and values.
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

function listen(server: Server, hostname: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new Error(`Failed to start the server: ${listenProblem(cause, hostname, port)}`, { cause }));
    });
    server.listen(port, hostname, resolve);
  });
}

function close(server: Server, connections: ConnectionQueues, closeTimeout: number): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(connections.resetAll, closeTimeout);
    server.close(() => {
      clearTimeout(timeout);
      resolve();
    });
    connections.closeUnused();
  });
}
