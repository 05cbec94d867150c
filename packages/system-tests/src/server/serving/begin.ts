import { get, type IncomingMessage } from 'node:http';

/** Sends a request on a connection of its own. Not read, its response is not taken from the connection either. */
export function begin(url: string, key: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'x-api-key': key }, agent: false }, resolve).on('error', reject);
  });
}
