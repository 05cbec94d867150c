import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A real HTTP server that answers as told, and remembers the request targets and connections that reached it. */
export interface ApiServer extends AsyncDisposable {
  readonly url: string;
  readonly targets: readonly string[];
  readonly connections: ReadonlySet<Socket>;
}

export async function startApiServer(answer: RequestListener): Promise<ApiServer> {
  const targets: string[] = [];
  const connections = new Set<Socket>();
  const server = createServer((request, response) => {
    targets.push(request.url ?? '');
    response.setHeader('x-request-id', 'req_1');
    answer(request, response);
  });
  server.on('connection', (socket) => connections.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    targets,
    connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
