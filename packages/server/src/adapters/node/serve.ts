import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ProblemName } from '@memory-read/contract/operations';
import { printError, quietly } from '../../http/observers.ts';
import { createRequestIds } from '../../http/request-ids.ts';
import { problemAnswer, problemResponse } from '../../http/responses.ts';
import { letMakeResponse } from '../../http/whole-answer.ts';
import { breakOffOnFailure } from './break-off-on-failure.ts';
import { deferResponse, wholeAnswerOf } from './deferred-response.ts';
import { createRequestObserver, type RequestObserver } from './request-observer.ts';
import { createResponseTracker, type ResponseTracker } from './response-tracker.ts';
import { sendWhole } from './send-whole.ts';
import { assertServeOptions, type ServeOptions } from './serve-options.ts';
import { answerUnreadableRequest, problemOfParser } from './unreadable-request.ts';

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
 * @throws TypeError when a time is no duration, or the hostname is empty.
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
  assertServeOptions(options);
  const { hostname = '127.0.0.1', port, closeTimeout = 10_000 } = options;
  const responses = createResponseTracker();
  const server = createNodeServer(options, responses);
  await listen(server, hostname, port);

  const address = server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    close: () => (closed ??= close(server, responses, closeTimeout)),
  };
}

function createNodeServer(options: ServeOptions, responses: ResponseTracker): Server {
  const reportError = options.onError ?? printError;
  const observer = createRequestObserver(options.onEnd);
  const requestIds = createRequestIds();
  const requestIdOf = (incoming?: IncomingMessage) => requestIds(incoming?.headers['x-request-id']?.toString());
  const answer = getRequestListener(withUnbrokenBodies(options, observer), {
    overrideGlobalObjects: options.overrideGlobalObjects ?? false,
    errorHandler: (error) => {
      if (error instanceof RequestError || error instanceof CallerLeftError)
        return problemResponse('bad-request', requestIdOf());
      quietly(() => reportError(error));
      return problemResponse('internal-server-error', requestIdOf());
    },
  });

  const server = createServer(limits(options.requestTimeout ?? 60_000), (incoming, outgoing) => {
    begin(incoming, outgoing);
    if (hasOneHost(incoming)) void answer(incoming, outgoing);
    else sendWhole(problemAnswer('bad-request', requestIdOf(incoming)), outgoing);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuseInTurn(problemOfParser(error), socket, { requestId: requestIdOf() });
  });
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    begin(incoming, outgoing);
    sendWhole(problemAnswer('expectation-failed', requestIdOf(incoming)), outgoing);
  });
  server.on('connect', (incoming: IncomingMessage) => {
    refuseInTurn('method-not-allowed', incoming.socket, { requestId: requestIdOf(incoming), method: 'CONNECT' });
  });
  server.on('connection', responses.watch);
  return server;

  function begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    observer.observe(incoming, outgoing);
    responses.add(incoming.socket, outgoing, () => {
      // A connection kept alive would keep a closing server waiting for a next request.
      if (!server.listening) responses.closeUnused();
    });
  }

  function refuseInTurn(problem: ProblemName, socket: Socket, request: { requestId: string; method?: string }): void {
    // Part of a response may have been sent: a second one must not follow it.
    if (responses.hasBegun(socket)) return void socket.destroy();
    responses.refuse(socket, () => {
      if (!socket.writable) return;
      observer.tell({ ...request, ...answerUnreadableRequest(problem, socket, request.requestId) });
    });
  }
}

/** Node looks for late requests only now and then, and would refuse a missing host with an empty body. */
function limits(requestTimeout: number): ServerOptions {
  const connectionsCheckingInterval = Math.min(requestTimeout, 5_000);
  return { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval, requireHostHeader: false };
}

/** HTTP/1.1 asks for exactly one Host; 1.0, which some health checks still speak, for none. */
function hasOneHost(incoming: IncomingMessage): boolean {
  const hosts = incoming.rawHeaders.filter(isHostName).length;
  if (hosts === 0 && incoming.httpVersion === '1.0') {
    incoming.headers.host = 'localhost';
    return true;
  }
  return hosts === 1;
}

/** Names and values take turns. */
function isHostName(header: string, index: number): boolean {
  return header.length === 4 && index % 2 === 0 && header.toLowerCase() === 'host';
}

function withUnbrokenBodies({ fetch, overrideGlobalObjects }: ServeOptions, observer: RequestObserver) {
  return async (request: Request, { outgoing }: { outgoing: unknown }) => {
    const sending = outgoing as ServerResponse; // the adapter knows of HTTP/2 as well, this server does not
    if (!overrideGlobalObjects) letMakeResponse(request, deferResponse);
    try {
      const response = assertSendable(await fetch(request));
      const answer = wholeAnswerOf(response);
      if (answer === undefined) return breakOffOnFailure(response, () => observer.breakOff(sending));
      sendWhole(answer, sending);
      return RESPONSE_ALREADY_SENT;
    } catch (error) {
      throw sending.destroyed ? new CallerLeftError() : error;
    }
  };
}

/** What `fetch` throws once nobody waits for its response is most often the abort of the request, and no failure. */
class CallerLeftError extends Error {}

/** The adapter would answer for one that is none, or is `Response.error()`, with a text of its own. */
function assertSendable(response: Response): Response {
  if (response?.status >= 200) return response;
  const found = response === undefined ? 'nothing' : `a response with the status ${response?.status}`;
  throw new TypeError(
    `Failed to send a response: because fetch returned ${found}. Return one with a status from 200 on.`,
  );
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
  // Names are looked up; the last code comes where nobody can be asked.
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return 'this machine has no such address. Choose one of its own.';
  }
  return `${message}. Choose another address or port.`;
}

function close(server: Server, responses: ResponseTracker, closeTimeout: number): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), closeTimeout);
    server.close(() => {
      clearTimeout(impatience);
      resolve();
    });
    responses.closeUnused();
  });
}
