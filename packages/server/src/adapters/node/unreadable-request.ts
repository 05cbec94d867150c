import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ProblemName, problems } from '@memory-read/contract/operations';

/** Answers what never becomes a request, which Node would answer with an empty body or not at all, and closes the connection. */
export function answerUnreadableRequest(problem: ProblemName, socket: Duplex, requestId: string): void {
  if (!socket.writable) return;
  const { status, detail } = problems[problem];
  const body = JSON.stringify({ detail });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: private, no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    ...(status === 405 ? ['Allow: GET, HEAD'] : []),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** What a request was refused for by Node's parser. */
export function problemOfParser({ code }: NodeJS.ErrnoException): ProblemName {
  if (code === 'HPE_HEADER_OVERFLOW') return 'request-headers-too-large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return 'bad-request';
}
