import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ProblemName, problems } from '@memory-read/contract/operations';

/** Answers what Node's parser gave up on, which it would answer with an empty body, and closes the connection. */
export function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (!socket.writable) return;
  const { status, detail } = problems[problemOf(error.code)];
  const body = JSON.stringify({ detail });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: private, no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function problemOf(code: string | undefined): ProblemName {
  if (code === 'HPE_HEADER_OVERFLOW') return 'request-headers-too-large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return 'bad-request';
}
