import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

export interface ServedSite {
  /** URL of the home page. */
  url: string;
  close(): Promise<void>;
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Serves a built site on this machine only. Port 0 selects a free port.
 *
 * @throws Error if the port is not available.
 */
export async function serveSite(folder: string, port = 0): Promise<ServedSite> {
  const server = createServer(async ({ url = '/' }, response) => {
    const file = fileOf(folder, url);
    const body = file === undefined ? undefined : await readFile(file).catch(() => undefined);
    if (file === undefined || body === undefined) return void response.writeHead(404).end('There is no such page.');
    const type = contentTypes[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(body);
  });
  await listen(server, port);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const problem = code === 'EADDRINUSE' ? `port ${port} is in use` : `port ${port} is not available (${code})`;
      reject(new Error(`Failed to serve the site: ${problem}. Pass --port 0 for a free port.`));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** Returns the file of a URL, or undefined if its path leads out of the folder. */
function fileOf(folder: string, url: string): string | undefined {
  try {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    const path = normalize(decodeURIComponent(pathname));
    return join(folder, path.endsWith('/') ? `${path}index.html` : path);
  } catch {
    return undefined;
  }
}
