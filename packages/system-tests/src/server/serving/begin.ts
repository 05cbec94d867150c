import { get, type IncomingMessage } from 'node:http';

/** Sends a request on its own connection. As long as the response is not read, it stays in the connection. */
export function begin(url: string, key: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'x-api-key': key }, agent: false }, resolve).on('error', reject);
  });
}
