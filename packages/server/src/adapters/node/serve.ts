import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ProblemName } from '@memory-read/contract/operations';
import type { AnsweringFetch } from '../../http/answer.ts';
import { problemAnswer } from '../../http/api-answers.ts';
import { callObserver, printError } from '../../http/observers.ts';
import { hasDotSegment } from '../../http/raw-path.ts';
import { createRequestIds } from '../../http/request-ids.ts';
import { createClientAddressOf } from './client-address.ts';
import { type ConnectionQueues, createConnectionQueues } from './connection-queues.ts';
import { ObservedResponse } from './observed-response.ts';
import { readAnswer } from './read-answer.ts';
import { createRequestObserver } from './request-observer.ts';
import { type NodeAnswer, sendAnswer } from './send-answer.ts';
import { assertServeOptions, longestTimer, type ServeOptions } from './serve-options.ts';
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
 * const server = await serve({ fetch: api.fetch, port: 0 });
 * console.log(`The API is at ${server.url}/v1`);
 * await server.close(); // waits for responses in flight
 * ```
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  assertServeOptions(options);
  const { hostname = '127.0.0.1', port, closeTimeout = 10_000 } = options;
  const { sendTimeout = 60_000, maxConnections = 1_000, maxPipelined = 16 } = options;
  const connections = createConnectionQueues({ sendTimeout, maxConnections, maxPipelined });
  const server = createNodeServer(options, connections);
  await listen(server, hostname, port);
  const watching = setInterval(connections.watchSending, Math.min(sendTimeout, 1_000)).unref();
  server.once('close', () => clearInterval(watching));

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
  const reportError = options.onError ?? printError;
  const observer = createRequestObserver(options.onEnd, createClientAddressOf(options.trustedProxies));
  const requestIds = createRequestIds();
  const requestIdOf = (incoming?: IncomingMessage) => requestIds(incoming?.headers['x-request-id']?.toString());
  const { fetch }: { fetch: AnsweringFetch } = options;
  const listener = getRequestListener(
    async (request, { outgoing }) => {
      // The type of the adapter includes responses of HTTP/2, which this server does not support.
      await respond(request, outgoing as ObservedResponse);
      return RESPONSE_ALREADY_SENT;
    },
    {
      overrideGlobalObjects: options.overrideGlobalObjects ?? false,
      errorHandler: (error) => {
        throw error;
      },
    },
  );

  const server = createServer(nodeOptions(options.requestTimeout ?? 60_000), (incoming, outgoing) => {
    inTurn(incoming, outgoing, () => {
      if (!hasOneHost(incoming)) return sendAnswer(problemAnswer('bad-request', requestIdOf(incoming)), outgoing);
      // The adapter resolves dot segments, so `fetch` would get another path than a proxy in front has checked.
      if (hasDotSegment(incoming.url ?? '')) {
        return sendAnswer(problemAnswer('route-not-found', requestIdOf(incoming)), outgoing);
      }
      // The adapter rejects if the target of the request is not a URL.
      listener(incoming, outgoing).catch(() => sendAnswer(problemAnswer('bad-request', requestIdOf()), outgoing));
    });
  });
  // Node adds up to one second.
  server.keepAliveTimeout = Math.min(options.keepAliveTimeout ?? 65_000, longestTimer - 1_000);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuseInTurn(problemOfParser(error), { socket }, { requestId: requestIdOf() });
  });
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ObservedResponse) => {
    inTurn(incoming, outgoing, () => {
      sendAnswer(problemAnswer('expectation-failed', requestIdOf(incoming)), outgoing);
    });
  });
  server.on('connect', (incoming: IncomingMessage) => {
    connections.takeOver(incoming.socket);
    refuseInTurn('method-not-allowed', incoming, { requestId: requestIdOf(incoming), method: 'CONNECT' });
  });
  server.on('connection', connections.open);
  // Node keeps an address that it has read. After a reset by the caller, the operating system no longer has it.
  server.on('connection', (socket: Socket) => void socket.remoteAddress);
  server.on('timeout', connections.onTimeout);
  return server;

  function inTurn(incoming: IncomingMessage, outgoing: ObservedResponse, answer: () => void): void {
    connections.add(incoming.socket, outgoing, () => {
      observer.observe(incoming, outgoing);
      answer();
    });
  }

  async function respond(request: Request, outgoing: ObservedResponse): Promise<void> {
    outgoing.request = request;
    try {
      sendAnswer(await answerOf(fetch, request), outgoing);
    } catch (error) {
      // After the connection has ended, an error is usually the abort of the request, not a failure.
      if (outgoing.destroyed) return;
      callObserver(() => reportError(error));
      sendAnswer(problemAnswer('internal-server-error', requestIdOf()), outgoing);
    }
  }

  function refuseInTurn(
    problem: ProblemName,
    incoming: Pick<IncomingMessage, 'socket'> & Partial<IncomingMessage>,
    request: { requestId: string; method?: string },
  ): void {
    const { socket } = incoming;
    // If part of a response was sent, a second one must not follow it.
    if (connections.hasBegun(socket)) return void socket.resetAndDestroy();
    connections.refuse(socket, () => {
      if (!socket.writable) return;
      observer.report(incoming, { ...request, ...answerUnreadableRequest(problem, socket, request.requestId) });
    });
  }
}

async function answerOf(fetch: AnsweringFetch, request: Request): Promise<NodeAnswer> {
  if (fetch.answer === undefined) return readAnswer(await fetch(request));
  const answered = await fetch.answer(request);
  return 'bodyUsed' in answered ? readAnswer(answered) : answered;
}

/** Node checks for late requests only at intervals, and would send an empty body for a missing Host. */
function nodeOptions(requestTimeout: number) {
  const connectionsCheckingInterval = Math.min(requestTimeout, 5_000);
  return {
    ServerResponse: ObservedResponse,
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval,
    requireHostHeader: false,
  };
}

/** HTTP/1.1 requires exactly one Host. HTTP/1.0, which some health checks use, requires none. */
function hasOneHost(incoming: IncomingMessage): boolean {
  const hosts = incoming.rawHeaders.filter(isHostName).length;
  if (hosts === 0 && incoming.httpVersion === '1.0') {
    incoming.headers.host = 'localhost';
    return true;
  }
  return hosts === 1;
}

/** Raw headers alternate between names and values. */
function isHostName(header: string, index: number): boolean {
  return header.length === 4 && index % 2 === 0 && header.toLowerCase() === 'host';
}

function listen(server: Server, hostname: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new Error(`Failed to start the server: ${reasonOf(cause, hostname, port)}`, { cause }));
    });
    server.listen(port, hostname, resolve);
  });
}

function reasonOf({ code, message }: NodeJS.ErrnoException, hostname: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `port ${port} of ${hostname} is in use. Stop the program that uses it, or choose another port.`;
  if (code === 'EACCES') return `this user is not allowed to use port ${port}. Choose a port above 1023.`;
  // DNS reports these codes; the last one means that no name server was reached.
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `this machine does not have the address ${hostname}. Choose one of its addresses.`;
  }
  return `${message}. Choose another address or port.`;
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
