import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sampleList } from './sample-list.ts';
import { signedQuery as query, signedUrl } from './signed-url.ts';

/** What an answer is made of; any of it may stand in a body or a header that the server makes up. */
export interface FaultRequest {
  /** From 1. */
  readonly attempt: number;
  /** As it came, with its scheme. */
  readonly authorization: string;
  /** An origin other than the server's. */
  readonly elsewhere: string;
}

type Answer = (socket: Socket, request: FaultRequest) => void;

const list = JSON.stringify(sampleList);
const partial = `[{"id":"mem_1","audio_url":"${signedUrl}"`;
const json = 'Content-Type: application/json';

/** By the name of the fault, what the server does with the connection. */
export const faultAnswers: Record<string, Answer> = {
  ...Object.fromEntries(
    ['500', '502', '503', '504', '408', '501', '400', '422'].map((status) => [status, echo(status)]),
  ),
  '429': echo('429', 'Retry-After: 0'),
  '429-then-200': (socket, request) =>
    request.attempt === 1 ? echo('429', 'Retry-After: 0')(socket, request) : send(socket, '200', list, json),
  '503-of-an-hour': echo('503', 'Retry-After: 3600'),
  '401': (socket) => send(socket, '401', '{"detail":"Invalid API key"}', json),
  '404': echo('404'),
  '302-elsewhere': redirect('302'),
  '307-elsewhere': redirect('307'),
  '301-to-itself': (socket) => send(socket, '301', '', `Location: /301-to-itself/v1/memories?${query}`),
  '304': (socket) => socket.end(`HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n`),
  '204': (socket) => socket.end(`HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n`),
  '206': (socket) => send(socket, '206', list, json),
  'next-page': (socket) => send(socket, '200', list, json, `Link: </v1/memories?page=2&${query}>; rel="next"`),
  'broken-json': (socket) => send(socket, '200', partial, json),
  html: (socket, { authorization }) =>
    send(socket, '200', `<a href="${signedUrl}">${authorization}</a>`, `Content-Type: text/html; x=${authorization}`),
  'empty-200': (socket) => send(socket, '200', '', json),
  'broken-structure': (socket) => send(socket, '200', `{"id":["${signedUrl}"]}`, json),
  reset: (socket) => socket.resetAndDestroy(),
  closed: (socket) => socket.end(),
  'no-http': (socket) => socket.end(`220 mail.example.com ${signedUrl}\r\n\r\n`),
  'reset-then-200': (socket, { attempt }) =>
    attempt === 1 ? socket.resetAndDestroy() : send(socket, '200', list, json),
  'cut-length': (socket) => socket.end(headOf('200', 1000, [json]) + partial),
  'cut-length-reset': (socket) =>
    socket.write(headOf('200', 1000, [json]) + partial, () => setImmediate(() => socket.resetAndDestroy())),
  'cut-chunks': (socket) =>
    socket.end(`${headOf('200', 'chunked', [json])}${partial.length.toString(16)}\r\n${partial}\r\n`),
  'cut-404': (socket) => socket.end(`${headOf('404', 1000, [json])}{"detail":"Memory not found"}`),
  'cut-500': (socket) => socket.end(`${headOf('500', 1000, [json])}{"detail"`),
  'bad-gzip': (socket) => send(socket, '200', gzipSync(list).fill(0, 20, 40), json, 'Content-Encoding: gzip'),
  silent: () => {},
  'silent-in-all': () => {},
  'silent-aborted': () => {},
  stalled: stall,
  'stalled-aborted': stall,
  '503-aborted': echo('503', 'Retry-After: 60'),
};

/** Repeats the key and a signed URL wherever a server could. */
function echo(status: string, ...headers: readonly string[]): Answer {
  return (socket, { authorization }) => {
    const detail = `Cannot serve ${authorization} with ${signedUrl}`;
    const said = headers.length > 0 ? headers : [`Retry-After: 0?${query}`];
    send(socket, status, JSON.stringify({ detail }), json, `X-Request-Id: ${authorization}?${query}`, ...said);
  };
}

function redirect(status: string): Answer {
  return (socket, { authorization, elsewhere }) =>
    send(socket, status, authorization, `Location: ${elsewhere}/v1/memories?${query}`);
}

function stall(socket: Socket): void {
  socket.write(headOf('200', 1000, [json]) + partial);
}

function send(socket: Socket, status: string, body: string | Uint8Array, ...headers: readonly string[]): void {
  socket.write(headOf(status, Buffer.byteLength(body), headers));
  socket.end(body);
}

/** Each connection carries one request: what a runtime makes of reused ones would be another table. */
function headOf(status: string, length: number | 'chunked', headers: readonly string[]): string {
  const framing = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return [`HTTP/1.1 ${status} Status`, 'Connection: close', framing, ...headers, '', ''].join('\r\n');
}
