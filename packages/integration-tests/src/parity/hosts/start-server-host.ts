import { Agent, request as httpRequest } from 'node:http';
import { createFakeClock } from '@memory-read/server/testing';
import type { WholeStore } from '@memory-read/test-kit/memory-service';
import { serveMemories } from '@memory-read/test-kit/serve-memories';
import type { ParityRequest, RawAnswer } from '../parity-case.ts';
import { now } from '../world.ts';
import { fillStore, source } from './fill-store.ts';
import type { ParityHost } from './parity-host.ts';

export interface ServerHost extends ParityHost {
  close(): Promise<void>;
}

/**
 * The reference server over this store, on a port of 127.0.0.1 and below this path, which receives requests over HTTP.
 */
export async function startServerHost(name: string, store: WholeStore, basePath = ''): Promise<ServerHost> {
  const clock = createFakeClock(now);
  await fillStore(store);
  const server = await serveMemories(store, { basePath, source, clock, cors: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    name,
    baseUrl: server.baseUrl,
    setClock: (instant) => clock.set(instant),
    send: (request) => sendOverHttp(request, agent),
    canSend: () => true,
    async close() {
      agent.destroy();
      await server.close();
    },
  };
}

/** Sends requests with the HTTP client of Node, which does not change paths and sends repeated headers. */
function sendOverHttp({ method, url, headers, body }: ParityRequest, agent: Agent): Promise<RawAnswer> {
  const [, host = '', path = ''] = /^http:\/\/([^/?#]+)(.*)$/.exec(url) ?? [];
  const [hostname = '', port] = host.split(':');
  const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { agent, method, hostname, port, path, headers: ['Host', host, ...headers.flat(), ...length] },
      async (incoming) => {
        const answer = await incoming.toArray().then(Buffer.concat, reject);
        const names = incoming.rawHeaders.filter((_, index) => index % 2 === 0);
        const pairs = names.map((name, index): [string, string] => [name, incoming.rawHeaders[index * 2 + 1] ?? '']);
        if (answer) resolve({ status: incoming.statusCode ?? 0, headers: pairs, body: answer });
      },
    );
    outgoing.on('error', reject).end(body);
  });
}
