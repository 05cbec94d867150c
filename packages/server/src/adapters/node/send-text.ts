import type { ServerResponse } from 'node:http';

/** Sends a response whose body is this text: headers and body in one write, which no stream can be. */
export function sendText({ status, headers }: Response, text: string, outgoing: ServerResponse): void {
  const fields = { ...Object.fromEntries(headers), 'content-length': Buffer.byteLength(text) };
  outgoing.writeHead(status, fields).end(text);
}
