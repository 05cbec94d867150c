import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A file of a site, and its media type. */
export type SiteFile = [type: string, content: string | Buffer];

/** A site of files in memory or on a disk. */
export interface Site extends AsyncDisposable {
  readonly url: string;
  /** Paths that reached this server beside those of its files. */
  readonly leaked: readonly string[];
}

/** Serves what `find` has for a path on a free port of 127.0.0.1; to all else it says that it is the network. */
export async function serveSite(find: (path: string) => SiteFile | undefined): Promise<Site> {
  const leaked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const [type, content] = find(url.replace(/\?.*/, '')) ?? [];
    if (type !== undefined) return response.writeHead(200, { 'content-type': type }).end(content);
    leaked.push(url);
    return response.writeHead(200, { 'content-type': 'text/plain' }).end('the network');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leaked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
