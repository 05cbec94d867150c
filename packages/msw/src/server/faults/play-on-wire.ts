import { STATUS_CODES } from 'node:http';
import type { PlainResponse } from '@memory-read/server';
import { playSteps } from './play-steps.ts';
import { pause, reset, send } from './wire-connection.ts';
import type { ConnectionFault, RawFault, ServerFault, StopFault } from './wire-fault.ts';
import type { ConnectionTurn, WireEnd, WireTurn } from './wire-turn.ts';

const rawNames: readonly unknown[] = ['network-error', 'stall', 'cut', 'garbage'] satisfies RawFault[];

/** Returns whether a fault is played on the connection, and not as a changed response. */
export function isRawFault(fault: ServerFault): fault is RawFault {
  if (typeof fault === 'string') return rawNames.includes(fault);
  return 'stop' in fault || 'bytesPerSecond' in fault || 'steps' in fault;
}

/** Plays a fault on the connection of a request. */
export function playOnWire(fault: RawFault, turn: WireTurn): Promise<WireEnd> {
  return unlessAborted(turn, () => playRequest(fault, turn));
}

/** Plays a fault on a connection before a byte of it is read. */
export function playOnConnection(fault: ConnectionFault, turn: ConnectionTurn): Promise<WireEnd> {
  return unlessAborted(turn, () => ('steps' in fault ? playSteps(turn, fault.steps) : finish(turn, fault.by)));
}

async function unlessAborted({ connection }: ConnectionTurn, play: () => Promise<WireEnd>): Promise<WireEnd> {
  try {
    return await play();
  } catch (error) {
    // A response that is being read fails when the client leaves.
    if (connection.socket.destroyed) return 'aborted';
    throw error;
  }
}

function playRequest(fault: RawFault, turn: WireTurn): Promise<WireEnd> {
  if (fault === 'network-error') return finish(turn, 'reset');
  if (fault === 'stall') return finish(turn, 'stall');
  if (fault === 'garbage') return playSteps(turn, [garbage, 'end']);
  if (fault === 'cut') return playRequest({ stop: { share: 0.5 }, by: 'reset' }, turn);
  if ('steps' in fault) return playSteps(turn, fault.steps);
  if ('bytesPerSecond' in fault) return sendResponse(turn, fault, () => endIfLast(turn));
  return fault.stop === 'before-head'
    ? finish(turn, fault.by)
    : sendResponse(turn, fault, () => finish(turn, fault.by));
}

/** Alerts of TLS, which servers send to clients of another protocol. They contain no line of HTTP. */
const garbage = '\x15\x03\x01\x00\x02\x02\x50'.repeat(8);

async function finish(turn: ConnectionTurn, by: StopFault['by']): Promise<WireEnd> {
  const { connection } = turn;
  if (by === 'stall') {
    turn.stalls();
    await connection.closed;
    return 'aborted';
  }
  if (by === 'reset') await reset(connection);
  else connection.socket.end();
  return 'fault';
}

/** Ends the connection if its client expects that. */
async function endIfLast(turn: WireTurn): Promise<WireEnd> {
  if (isLast(turn)) turn.connection.socket.end();
  return 'sent';
}

function isLast({ request, httpVersion }: WireTurn): boolean {
  return httpVersion === '1.0' || /\bclose\b/i.test(request.headers.get('connection') ?? '');
}

interface Sending {
  stop?: StopFault['stop'];
  framing?: StopFault['framing'];
  bytesPerSecond?: number;
}

/** Sends the response up to a place, and calls `finally` there. */
async function sendResponse(turn: WireTurn, sending: Sending, finishThere: () => Promise<WireEnd>): Promise<WireEnd> {
  const { connection, progress } = turn;
  const { stop = { share: 1 } } = sending;
  const answer = await turn.answer();
  const body = await bodyOf(answer);
  const limit = limitOf(stop, body.length);
  const head = headOf(turn, answer, sending.framing === 'exact' ? limit : body.length, sending.framing);
  const isWhole = stop !== 'in-head';
  if (!(await send(connection, isWhole ? head : head.subarray(0, head.length / 2)))) return 'aborted';
  if (isWhole) progress.status = answer.status;
  return (await sendBody(turn, body, { ...sending, limit })) ? finishThere() : 'aborted';
}

/** Returns the number of bytes of the body before a place. */
function limitOf(stop: NonNullable<Sending['stop']>, length: number): number {
  if (typeof stop === 'string') return 0;
  return Math.min(length, 'bytes' in stop ? stop.bytes : Math.floor(length * stop.share));
}

interface Body {
  readonly length: number;
  readonly chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Returns the body with its length. Only a stream that has announced its length stays one. */
async function bodyOf({ body, headers }: PlainResponse): Promise<Body> {
  const announced = headers['content-length'];
  if (body instanceof ReadableStream && announced !== undefined) return { length: Number(announced), chunks: body };
  const bytes = await new Blob(
    body instanceof ReadableStream ? [await new Response(body).blob()] : [body ?? []].flat(),
  ).bytes();
  return { length: bytes.length, chunks: [bytes] };
}

/** Sends the first `limit` bytes of a body. Returns false if the connection closed before. */
async function sendBody(turn: WireTurn, { chunks }: Body, sending: Sending & { limit: number }): Promise<boolean> {
  const { connection, progress } = turn;
  const { limit, framing, bytesPerSecond } = sending;
  const size = bytesPerSecond === undefined ? limit : Math.max(1, Math.round(bytesPerSecond / PIECES_PER_SECOND));
  let left = limit;
  // Leaving the loop cancels a stream.
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length && left > 0; start += size) {
      const piece = chunk.subarray(start, start + Math.min(size, left));
      if (!(await send(connection, framing === 'chunked' ? chunkOf(piece) : piece))) return false;
      left -= piece.length;
      progress.bytes += piece.length;
      if (bytesPerSecond !== undefined && left > 0) await pause(connection, (piece.length / bytesPerSecond) * 1_000);
    }
    if (left === 0) break;
  }
  return true;
}

const PIECES_PER_SECOND = 20;

function chunkOf(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

function headOf(turn: WireTurn, answer: PlainResponse, length: number, framing: StopFault['framing']): Buffer {
  const { status } = answer;
  const hasBody = turn.request.method !== 'HEAD' && status !== 204 && status !== 304;
  const headers: Record<string, string> = { ...answer.headers };
  if (hasBody) {
    delete headers['content-length'];
    if (framing === 'chunked') headers['transfer-encoding'] = 'chunked';
    else if (framing !== 'close') headers['content-length'] = String(length);
  }
  headers.connection = framing === 'close' || isLast(turn) ? 'close' : 'keep-alive';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`, 'latin1');
}
