import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Asks this machine, whatever the URL's host, and sends the URL as it is written: `fetch` would normalise it. */
export async function askStorage(url: string, { method = 'GET', headers = {} } = {}) {
  const [, host = '', target = ''] = /^http:\/\/([^/]+)(.*)$/.exec(url) ?? [];
  const port = Number(host.split(':').at(-1));
  const options = { host: '127.0.0.1', port, path: target, method, headers: { ...headers, host }, agent: false };
  const [response]: IncomingMessage[] = await once(request(options).end(), 'response');
  if (response === undefined) throw new Error(`Failed to ask ${host}: there was no response.`);
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}
