import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ProblemName } from '@memory-read/contract/operations';
import { problemResponse } from '../../http/plain-response.ts';

/** The response that was sent. */
interface Answered {
  status: number;
  bytesSent: number;
}

/**
 * Responds to data that is not a request, which Node would answer with an empty body or not at all, and closes the
 * connection.
 */
export function answerUnreadableRequest(problem: ProblemName, socket: Duplex, requestId: string): Answered {
  const { status, headers, body } = problemResponse(problem, requestId);
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' });
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  const message = `${head.join('\r\n')}\r\n\r\n${body}`;
  socket.end(message);
  return { status, bytesSent: Buffer.byteLength(message) };
}

/** Returns the problem for an error of Node's parser. */
export function problemOfParser({ code }: NodeJS.ErrnoException): ProblemName {
  if (code === 'HPE_HEADER_OVERFLOW') return 'request-headers-too-large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return 'bad-request';
}
