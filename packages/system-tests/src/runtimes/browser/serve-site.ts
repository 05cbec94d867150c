import { listen } from '@memory-read/test-kit/listen';

/** A file of a site, and its media type. */
export type SiteFile = [type: string, content: string | Uint8Array];

/** A site of files in memory or on a disk. */
export interface Site extends AsyncDisposable {
  readonly url: string;
  /** Paths of other requests that reached this server. */
  readonly leaked: readonly string[];
}

/**
 * Serves the files that `find` returns, as a whole or by range. Other requests get a response that names the network.
 */
export async function serveSite(find: (path: string) => SiteFile | undefined): Promise<Site> {
  const leaked: string[] = [];
  const server = await listen(({ url = '', headers }, response) => {
    // A browser requests an icon for pages that name none.
    if (url === '/favicon.ico') return response.writeHead(204).end();
    const [type, content] = find(url.replace(/\?.*/, '')) ?? [];
    if (type === undefined) {
      leaked.push(url);
      return response.writeHead(200, { 'content-type': 'text/plain' }).end('the network');
    }
    const bytes = Buffer.from(content ?? '');
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    if (first === undefined) {
      return response.writeHead(200, { 'content-type': type, 'accept-ranges': 'bytes' }).end(bytes);
    }
    const part = bytes.subarray(Number(first), last ? Number(last) + 1 : bytes.length);
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`;
    return response.writeHead(206, { 'content-type': type, 'content-range': range }).end(part);
  });
  return { ...server, leaked };
}
