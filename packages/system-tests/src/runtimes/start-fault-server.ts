import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { freePort } from '../server/serving/free-port.ts';
import type { DriverInput } from './driver/driver-input.ts';
import { faultAnswers } from './fault-answers.ts';
import { createSelfSigned } from './self-signed.ts';

/** Servers that answer each fault of the table, and count what reaches them. */
export interface FaultServer extends AsyncDisposable {
  readonly input: DriverInput;
  /** Requests that arrived, by fault. */
  readonly seen: ReadonlyMap<string, number>;
  /** Requests that carried something other than the key, by fault. */
  readonly strangeKeys: readonly string[];
  /** How the callers named themselves. */
  readonly userAgents: ReadonlySet<string>;
  /** Connections to the origin that redirects point to. */
  connectionsElsewhere(): number;
}

/** Starts them on free ports of 127.0.0.1; each runtime gets its own, so that counts do not mix. */
export async function startFaultServer(apiKey: string): Promise<FaultServer> {
  const seen = new Map<string, number>();
  const strangeKeys: string[] = [];
  const userAgents = new Set<string>();
  const arrivals = new EventEmitter();
  const count = (fault: string) => {
    const attempt = (seen.get(fault) ?? 0) + 1;
    seen.set(fault, attempt);
    arrivals.emit(fault);
    return attempt;
  };
  let connectionsElsewhere = 0;
  const other = await listen(
    createServer((socket) => {
      connectionsElsewhere += 1;
      socket.destroy();
    }),
  );
  const main = await listen(
    createServer((socket) =>
      onRequest(socket, async ({ fault, rest, authorization, userAgent }) => {
        if (fault === 'arrived') {
          if (!seen.has(rest)) await once(arrivals, rest);
          return socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
        }
        if (authorization !== `Bearer ${apiKey}`) strangeKeys.push(`${fault}: ${authorization}`);
        userAgents.add(userAgent);
        const request = { attempt: count(fault), authorization, elsewhere: other.origin };
        return faultAnswers[fault]?.(socket, request);
      }),
    ),
  );
  const untrusted = await listen(createTlsServer(createSelfSigned()).on('connection', () => count('untrusted')));
  const input = {
    apiKey,
    origin: main.origin,
    // A word that faults of TLS are known by, which some runtimes repeat with the URL.
    refused: `http://127.0.0.1:${await freePort()}/certificate`,
    untrusted: untrusted.origin.replace('http:', 'https:'),
  };
  return {
    input,
    seen,
    strangeKeys,
    userAgents,
    connectionsElsewhere: () => connectionsElsewhere,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([main, other, untrusted].map(({ close }) => close()));
    },
  };
}

async function listen(server: Server): Promise<{ origin: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

interface RequestHead {
  /** The first segment of the path. */
  readonly fault: string;
  /** The second. */
  readonly rest: string;
  readonly authorization: string;
  readonly userAgent: string;
}

/** Requests have no body, so that the empty line is their end. */
function onRequest(socket: Socket, answer: (head: RequestHead) => unknown): void {
  let head = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    head += text;
    if (!head.includes('\r\n\r\n')) return;
    const [, fault = '', rest = ''] = /^GET \/([^/]+)\/([^/ ]*)/.exec(head) ?? [];
    const [, authorization = ''] = /^authorization: *(.*)\r$/im.exec(head) ?? [];
    const [, userAgent = ''] = /^user-agent: *(.*)\r$/im.exec(head) ?? [];
    head = '';
    void answer({ fault, rest, authorization, userAgent });
  });
}
