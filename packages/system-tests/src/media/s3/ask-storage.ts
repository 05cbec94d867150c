import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface StorageAnswer {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

interface Ask {
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
}

/** Asks this machine, whatever the URL's host, and sends the URL as it is written: `fetch` would normalise it. */
export function askStorage(url: string, { method = 'GET', headers = {} }: Ask = {}): Promise<StorageAnswer> {
  const [, host = '', target = ''] = /^http:\/\/([^/]+)(.*)$/.exec(url) ?? [];
  const port = Number(host.split(':').at(-1));
  const options = { host: '127.0.0.1', port, path: target, method, headers: { ...headers, host }, agent: false };
  return new Promise((resolve, reject) => {
    request(options, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode, headers: response.headers, body }),
        reject,
      );
    })
      .on('error', reject)
      .end();
  });
}
