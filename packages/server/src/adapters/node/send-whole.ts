import type { ServerResponse } from 'node:http';
import type { WholeAnswer } from '../../http/whole-answer.ts';

/** Headers and body in one write, which no stream can be. */
export function sendWhole({ status, headers, body }: WholeAnswer, outgoing: ServerResponse): void {
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}
