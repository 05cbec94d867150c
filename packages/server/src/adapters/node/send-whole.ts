import type { ServerResponse } from 'node:http';
import type { WholeAnswer } from '../../http/whole-answer.ts';

/** Headers and body in one write, which no stream can be. */
export function sendWhole({ status, headers, body }: WholeAnswer, outgoing: ServerResponse): void {
  const parts = typeof body === 'string' ? [body] : body;
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  outgoing.writeHead(status, { ...headers, 'content-length': length });
  if (typeof body === 'string') return void outgoing.end(body);
  outgoing.cork();
  for (const part of parts) outgoing.write(part);
  outgoing.end();
}
