import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { PlainResponse } from '@memory-read/server';
import type { ServeOptions } from '@memory-read/server/node';
import { type MockApi, type MockHost, toPlainResponse } from '../create-mock-api.ts';
import { isRawFault, playOnConnection, playOnWire } from './faults/play-on-wire.ts';
import { resetNow } from './faults/wire-connection.ts';
import type { ConnectionFault } from './faults/wire-fault.ts';
import type { ConnectionTurn } from './faults/wire-turn.ts';
import type { SpaceConnections } from './space-connections.ts';
import { type OpenEntry, type Outgoing, targetParts, type WireLog } from './wire-log/create-wire-log.ts';

/** What `serve` calls for connections and requests. */
export type ConnectionHook = NonNullable<ServeOptions['connection']>;

/** Plays the faults of a space, and responds to its requests. */
export interface Responder {
  /** Called for each connection before a byte of it is read. Plays the fault that was scheduled for it, then calls `read`. */
  open(socket: Socket, read: () => void): void;
  begin(outgoing: Outgoing, to: MockHost | 'elsewhere'): ReturnType<ConnectionHook['begin']>;
}

/** What the responder works with. `places` is called when the ports are known. */
export interface ResponderContext {
  mock: MockApi;
  /** Path of the API. What is outside of it is not a request to the API, so no fault affects it. */
  basePath: string;
  log: WireLog;
  connections: SpaceConnections;
  places(): ConnectionTurn['places'];
}

export function createResponder({ mock, basePath, log, connections, places }: ResponderContext): Responder {
  return {
    open(socket, read) {
      const fault = mock.faults.takeForConnection() as ConnectionFault | undefined;
      if (fault === undefined) read();
      else void playBeforeReading(fault, socket, read);
    },
    begin(outgoing, to) {
      const { req: incoming } = outgoing;
      const { socket } = incoming;
      const target = to === 'elsewhere' ? nowhere : mock.targetOf(targetParts(incoming).path, to);
      const entry = log.open({ outgoing, to, target });
      connections.occupy(socket);
      outgoing.once('close', () => {
        connections.release(socket);
        if (entry.progress === undefined) entry.end(outgoing.writableFinished ? 'sent' : 'aborted');
      });
      const answer = async (request: Request) => {
        await readBody(incoming, entry.body);
        if (!socket.writable) return undefined;
        return to === 'elsewhere' ? emptyList : respond({ request, to, target, incoming, entry });
      };
      return async (request) => {
        const response = await answer(request);
        // A fault wrote the bytes past Node, which waits for this event before it begins the next response.
        if (response === undefined && !outgoing.destroyed) outgoing.emit('finish');
        return response;
      };
    },
  };

  async function playBeforeReading(fault: ConnectionFault, socket: Socket, read: () => void): Promise<void> {
    connections.occupy(socket);
    // Node does not listen yet, and an error without a listener ends the process.
    socket.on('error', () => {});
    const connection = connections.of(socket);
    const progress = { status: null, bytes: 0 };
    await playOnConnection(fault, { connection, places: places(), progress, stalls: () => {} });
    connections.release(socket);
    if (socket.writable) read();
  }

  async function respond({ request, to, target, incoming, entry }: Exchange): Promise<PlainResponse | undefined> {
    const requestId = mock.nextRequestId();
    const answer = (sent = request) => dated(mock.answer(sent, to, requestId));
    const { path } = targetParts(incoming);
    // A page sends preflights for media, which no test schedules.
    const canFail = to === 'media' ? request.method !== 'OPTIONS' : path.startsWith(`${basePath}/`);
    const fault = canFail ? mock.faults.take(request, target) : undefined;
    if (fault === undefined) return answer();
    entry.fault = fault;
    if (!isRawFault(fault)) {
      const { operation } = target;
      const played = await mock.player.play(fault, {
        operation,
        request,
        elsewhereUrl: places().elsewhere,
        answer: (sent, object) => mock.fetch(sent, to, requestId, object),
      });
      return played && dated(readWhole(played));
    }
    entry.progress = { status: null, bytes: 0 };
    const { socket, httpVersion } = incoming;
    const turn = {
      connection: connections.of(socket),
      request,
      httpVersion,
      answer,
      places: places(),
      progress: entry.progress,
      stalls: entry.stall,
    };
    try {
      entry.end(await playOnWire(fault, turn));
      return undefined;
    } catch (error) {
      // Bytes can be on the connection, so no other response must follow.
      resetNow({ socket });
      entry.end('aborted');
      throw error;
    }
  }

  /** The time of a response is that of the space, or of its fault. */
  async function dated(answering: Promise<PlainResponse>): Promise<PlainResponse> {
    const answer = await answering;
    return { ...answer, headers: { date: mock.clock.now().toUTCString(), ...answer.headers } };
  }
}

interface Exchange {
  request: Request;
  to: MockHost;
  target: ReturnType<MockApi['targetOf']>;
  incoming: IncomingMessage;
  entry: OpenEntry;
}

const nowhere = { operation: null, memoryId: null, kind: null };
export const emptyList = { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' };

/** Returns a changed response. Its length is known, and that of media too. */
async function readWhole(response: Response): Promise<PlainResponse> {
  const plain = toPlainResponse(response);
  if (plain.body === null || response.headers.has('content-length')) return plain;
  return { ...plain, body: [await response.bytes()] };
}

/** Bytes of a body in which keys are searched. */
const SEARCHED_BYTES = 1_048_576;

/** Reads the body of a request to its end, because Node would drop it with the response. */
async function readBody(incoming: IncomingMessage, body: OpenEntry['body']): Promise<void> {
  const { headers } = incoming;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  incoming.on('data', (chunk: Buffer) => {
    body.bytes += chunk.byteLength;
    if (body.text.length < SEARCHED_BYTES) body.text += chunk.toString('latin1');
  });
  await new Promise<void>((resolve) => {
    incoming.once('end', resolve);
    incoming.once('close', resolve);
  });
}
