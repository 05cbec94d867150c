import type { ServerResponse } from 'node:http';
import type { WholeBody } from '../../http/whole-body.ts';

/** Sends a response whose body is this one: headers and body in one write, which no stream can be. */
export function sendWhole({ status, headers }: Response, body: WholeBody, outgoing: ServerResponse): void {
  const parts = typeof body === 'string' ? [body] : body;
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  outgoing.writeHead(status, { ...Object.fromEntries(headers), 'content-length': length });
  if (typeof body === 'string') return void outgoing.end(body);
  outgoing.cork();
  for (const part of parts) outgoing.write(part);
  outgoing.end();
}
