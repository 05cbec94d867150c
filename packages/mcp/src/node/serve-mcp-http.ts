import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isLoopback } from '@memory-read/contract/base-url';
import { longestTimer } from '@memory-read/contract/event-loop';
import { listenProblem } from '@memory-read/contract/file-errors';
import { refuseNumber } from '@memory-read/contract/options';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { contextOf, type MemoryMcpOptions, serverOf } from '../create-memory-mcp-server.ts';
import { type GuardSettings, guard, isOrigin } from '../http/guard.ts';
import { throwIfRefused } from '../throw-if-refused.ts';
import { limitConnections } from './limit-connections.ts';

/** Options of {@link serveMcpHttp}. */
export interface ServeMcpHttpOptions extends MemoryMcpOptions {
  /** Number of the TCP port. Default: 0, which selects a free port. */
  port?: number | undefined;
  /**
   * Address to listen on. Default: `127.0.0.1`. Every address other than a loopback address needs `token` and
   * `allowedHosts`.
   */
  hostname?: string | undefined;
  /**
   * Token that each request must send as `Authorization: Bearer`: 16 visible ASCII characters or more. Default: none.
   */
  token?: string | undefined;
  /** Names that requests can use in `Host` in addition to loopback names. Default: none. */
  allowedHosts?: string[] | undefined;
  /**
   * Origins of web pages that can send requests and read the responses, such as `https://app.example.com`. Pages of this
   * machine, such as `http://localhost:5173`, need to be named too. Default: none.
   */
  allowedOrigins?: string[] | undefined;
  /** Maximum size of a request body, in bytes. Default: 1,048,576 (1 MiB). */
  maxRequestBytes?: number | undefined;
}

/** A running server. */
export interface RunningMcpServer {
  /** Address of the endpoint, which ends with `/mcp`. */
  url: string;
  /** Stops the server, and closes open connections. Further calls do nothing. */
  close(): Promise<void>;
}

const action = 'serve the tools';
const httpOptions = ['port', 'hostname', 'token', 'allowedHosts', 'allowedOrigins', 'maxRequestBytes'];
/** Time until a request has arrived completely, in milliseconds. */
const REQUEST_TIMEOUT = 60_000;
/** Longer than the 60 seconds for which most proxies keep a connection, so that no request meets one that closes. */
const KEEP_ALIVE_TIMEOUT = 65_000;
const CHECK_INTERVAL = 5_000;
const MOST_CONNECTIONS = 1_000;
/** Bytes of a refused body that are read and dropped, so that the client receives the response and not a reset. */
const MOST_DROPPED = 16_777_216;

/**
 * Serves the tools over HTTP, and resolves when the server listens. The server has no sessions.
 *
 * Only programs of this machine can connect, unless `hostname`, `token` and `allowedHosts` allow others. A web page can
 * connect only from an origin of `allowedOrigins`, or from that of the server itself, which serves no pages. There is no TLS. A request has 60 seconds to arrive. An idle
 * connection is closed after 65 seconds. At most 1,000 connections are open: a further one takes the place of the one
 * that has been without a request for longest.
 *
 * @example
 * ```ts
 * import { MemoryClient } from '@memory-read/client';
 * import { createLiveSource } from '@memory-read/mcp';
 * import { serveMcpHttp } from '@memory-read/mcp/node';
 *
 * const client = new MemoryClient(); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
 * const server = await serveMcpHttp({ source: createLiveSource(client) });
 * console.log(`The tools are at ${server.url}`);
 * ```
 *
 * @throws {@link ConfigurationError} if `token` is too short, an option or `timeZone` is unknown, an entry of `allowedOrigins` is not
 * an origin, or if other machines could connect without a token and `allowedHosts`. The server then does not listen.
 */
export async function serveMcpHttp(options: ServeMcpHttpOptions): Promise<RunningMcpServer> {
  const context = contextOf(options, httpOptions);
  const { port = 0, hostname = '127.0.0.1', token, allowedHosts = [], allowedOrigins = [] } = options;
  const { maxRequestBytes = 1_048_576 } = options;
  throwIfRefused(action, refuseNumber('port', port, [0, 65_535]));
  throwIfRefused(action, refuseNumber('maxRequestBytes', maxRequestBytes, [1, longestTimer]));
  checkExposure({ hostname, token, allowedHosts, allowedOrigins });
  const handler = createMcpHandler(() => serverOf(context), { maxRequestBodySize: maxRequestBytes });
  const isToken = token === undefined ? () => true : tokenTest(token);
  const limits = {
    requestTimeout: REQUEST_TIMEOUT,
    headersTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    connectionsCheckingInterval: CHECK_INTERVAL,
  };
  const server = createServer(limits, (request, response) => {
    const settings: GuardSettings = {
      allowedHosts,
      allowedOrigins,
      maxRequestBytes,
      isAuthorized: () => isToken(request.headers.authorization),
    };
    respond(request, response, { settings, handle: handler.fetch }).catch(() => response.destroy());
  });
  limitConnections(server, MOST_CONNECTIONS);
  await listen(server, hostname, port);
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${shown}:${address.port}/mcp`,
    close: () => {
      closed ??= (async () => {
        const ended = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        await Promise.all([handler.close(), ended]);
      })();
      return closed;
    },
  };
}

async function listen(server: Server, hostname: string, port: number): Promise<void> {
  // URLs have brackets around an IPv6 address, and addresses of the system do not.
  server.listen(port, hostname.replace(/^\[(.*)\]$/, '$1'));
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Error(`Failed to serve the tools: ${listenProblem(cause as Error, hostname, port)}`, {
      cause,
    });
  }
}

function checkExposure({
  hostname,
  token,
  allowedHosts,
  allowedOrigins,
}: {
  hostname: string;
  token: string | undefined;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
}): void {
  const fail = (option: string, what: string, todo: string) => {
    throwIfRefused(action, { name: option, reason: what, advice: todo });
  };
  if (token !== undefined && !/^[\x21-\x7e]{16,}$/.test(token)) {
    fail('token', 'token is not 16 or more visible ASCII characters', 'Pass a longer random token');
  }
  for (const [option, list] of Object.entries({ allowedHosts, allowedOrigins }))
    if (!Array.isArray(list)) fail(option, `${option} is not an array`, 'Pass an array of strings');
  if (!allowedOrigins.every(isOrigin)) {
    fail(
      'allowedOrigins',
      'an entry of allowedOrigins is not an origin',
      'Pass origins such as https://app.example.com',
    );
  }
  if (isLoopback(hostname)) return;
  if (token === undefined) fail('token', 'hostname is not a loopback address, and token is missing', 'Pass a token');
  if (allowedHosts.length === 0) {
    fail(
      'allowedHosts',
      'hostname is not a loopback address, and allowedHosts is empty',
      'Pass the names of this server',
    );
  }
}

/** All digests have the same length, so the comparison takes the same time for every token. */
function tokenTest(token: string): (authorization: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (authorization) => {
    const [, given = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    return timingSafeEqual(digest(given), expected);
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { settings, handle }: { settings: GuardSettings; handle: (request: Request) => Promise<Response> },
): Promise<void> {
  const { method = '', url: target = '', headers } = request;
  const verdict = guard({ method, target, headers }, settings);
  response.setHeaders(new Headers(verdict.headers));
  if (verdict.status !== undefined) return refuse(request, response, verdict.status);
  const body = await readBody(request, settings.maxRequestBytes);
  if (body === undefined) return refuse(request, response, 413);
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  const answer = await handle(
    new Request(`http://${headers.host}${target}`, {
      method,
      headers: new Headers(toPairs(request.rawHeaders)),
      body,
      signal: leaving.signal,
    }),
  );
  // Node decides whether the connection stays open. The handler keeps every one.
  answer.headers.delete('connection');
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) return void response.end();
  await pipeline(Readable.fromWeb(answer.body as never), response);
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
  let dropped = 0;
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > MOST_DROPPED) request.destroy();
  });
  response.writeHead(status, status === 204 ? {} : { 'content-length': '0' }).end();
}

/** Returns the body; undefined if it is longer than the limit. */
function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
    request.on('error', reject);
  });
}

function toPairs(rawHeaders: readonly string[]): [string, string][] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as [string, string]] : [],
  );
}
