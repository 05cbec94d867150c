import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { PlainResponse } from '@memory-read/server';
import { type RunningServer, type ServeOptions, serve } from '@memory-read/server/node';
import { createMockApi, type MockHost, toPlainResponse } from '../create-mock-api.ts';
import type { PlayedRequest } from '../faults/fault-player.ts';
import { controlsOf } from '../fetch/fetch-memory-mock.ts';
import { resolveState } from '../mock-options.ts';
import { isRawFault, playOnWire } from './faults/play-on-wire.ts';
import type { WireConnection, WireTurn } from './faults/wire-turn.ts';
import type { MockSpace, MockSpaceOptions } from './mock-server.ts';
import { createWireLog, type OpenEntry, type Outgoing, targetParts } from './wire-log/create-wire-log.ts';

/** What a space gets from its server. */
export interface SpaceContext {
  id: string;
  /** Address on which the ports listen, and the host in the URLs. */
  hostname: string;
  host: string;
  mediaUrl: string;
  /** Starts the API on the port of the space. */
  listen(start: (port: number) => Promise<RunningServer>): Promise<RunningServer>;
  /** Replaces the keys of all spaces. */
  redactKeys(text: string): string;
  onClose(): void;
}

/** A space, and the methods that only the server calls. */
export interface OpenSpace {
  space: MockSpace;
  begin: Begin;
  redactKeys(text: string): string;
}

type ConnectionHook = NonNullable<ServeOptions['connection']>;
type Begin = (outgoing: Outgoing, to: MockHost | 'elsewhere') => ReturnType<ConnectionHook['begin']>;

/** A request whose response is under way. */
interface Exchange {
  outgoing: Outgoing;
  entry: OpenEntry;
}

export async function openMockSpace(options: MockSpaceOptions, context: SpaceContext): Promise<OpenSpace> {
  const { basePath = '', tls, apiKey } = options;
  const { id, hostname, host, mediaUrl } = context;
  const state = resolveState(options);
  // Ports come back, so the keys of a space must not.
  const identity = `${state.seed} ${id} ${crypto.randomUUID()}`;
  const mock = createMockApi({ ...state, isServer: true, basePath, mediaUrl, identity, apiKey });
  const { accounts, clock } = mock;
  const log = createWireLog({ clock, hasKey: accounts.hasKey, redactKeys: context.redactKeys });
  const underWay = new Set<Exchange>();
  const sockets = new Set<Socket>();
  const connections = new WeakMap<object, { connection: WireConnection; number: number }>();
  let connectionCount = 0;

  const hookFor = (to: 'api' | 'elsewhere'): ConnectionHook => ({
    tls,
    open(socket, read) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      read();
    },
    begin: (outgoing) => begin(outgoing, to),
  });
  const start = (to: 'api' | 'elsewhere') => (port: number) =>
    serve({ fetch: nothing, hostname, port, connection: hookFor(to) });
  const api = await context.listen(start('api'));
  const elsewhere = await start('elsewhere')(0);
  const origin = (port: number) => `${tls === undefined ? 'http' : 'https'}://${host}:${port}`;
  const baseUrl = origin(api.port) + basePath;
  const elsewhereUrl = origin(elsewhere.port);
  let closed: Promise<void> | undefined;

  const space: MockSpace = {
    ...controlsOf(mock),
    id,
    baseUrl,
    mediaUrl,
    elsewhereUrl,
    faults: mock.faults,
    requests: log.requests,
    nextRequest: log.nextRequest,
    reset() {
      log.reset();
      mock.reset();
      for (const { outgoing } of underWay) outgoing.req.socket.destroy();
    },
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => space.close(),
  };
  return { space, begin, redactKeys: accounts.redactKeys };

  async function close(): Promise<void> {
    context.onClose();
    for (const { outgoing } of underWay) outgoing.req.socket.destroy();
    for (const socket of sockets) socket.destroy();
    await Promise.all([api.close(), elsewhere.close()]);
  }

  function begin(
    outgoing: Outgoing,
    to: MockHost | 'elsewhere',
  ): (request: Request) => Promise<PlainResponse | undefined> {
    const { req: incoming } = outgoing;
    const target = to === 'elsewhere' ? nowhere : mock.targetOf(targetParts(incoming).path, to);
    const { number, connection } = connectionOf(incoming.socket);
    const entry = log.open({ outgoing, to, target, connection: number });
    const exchange = { outgoing, entry };
    underWay.add(exchange);
    outgoing.once('close', () => {
      underWay.delete(exchange);
      if (entry.progress === undefined) entry.end(outgoing.writableFinished ? 'sent' : 'aborted');
    });
    return async (request) => {
      entry.body = await readBody(incoming);
      if (outgoing.destroyed) return undefined;
      if (to === 'elsewhere') return emptyList;
      const requestId = mock.nextRequestId();
      const answer = (sent = request) => dated(mock.answer(sent, to, requestId));
      // A page sends preflights, which no test schedules.
      const fault = to === 'media' && request.method === 'OPTIONS' ? undefined : mock.faults.take(request, target);
      if (fault === undefined) return answer();
      entry.fault = fault;
      if (isRawFault(fault)) {
        entry.progress = { status: null, bytes: 0 };
        const turn: WireTurn = {
          connection,
          request,
          httpVersion: incoming.httpVersion,
          answer,
          places: { origin: baseUrl, elsewhere: elsewhereUrl },
          progress: entry.progress,
          stalls: entry.stall,
        };
        entry.end(await playOnWire(fault, turn));
        return undefined;
      }
      const { operation } = target;
      const answerAsResponse: PlayedRequest['answer'] = (sent, object) => mock.fetch(sent, to, requestId, object);
      const played = await mock.player.play(fault, { operation, request, elsewhereUrl, answer: answerAsResponse });
      return played && dated(readWhole(played));
    };
  }

  function connectionOf(socket: Socket) {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    connectionCount += 1;
    const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
    const added = { connection: { socket, closed }, number: connectionCount };
    connections.set(socket, added);
    return added;
  }

  /** The time of a response is that of the space. */
  async function dated(answering: Promise<PlainResponse>): Promise<PlainResponse> {
    const answer = await answering;
    return { ...answer, headers: { ...answer.headers, date: clock.now().toUTCString() } };
  }
}

const nowhere = { operation: null, memoryId: null, kind: null };
const emptyList = { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' };
const nothing = () => emptyList;

/** Returns a changed response, whose length is known unless it is that of media. */
async function readWhole(response: Response): Promise<PlainResponse> {
  const plain = toPlainResponse(response);
  if (plain.body === null || response.headers.has('content-length')) return plain;
  return { ...plain, body: [await response.bytes()] };
}

/** Bytes of a body in which keys are searched. */
const SEARCHED_BYTES = 1_048_576;

/** Reads the body of a request to its end, because Node would drop it with the response. */
async function readBody(incoming: IncomingMessage): Promise<OpenEntry['body']> {
  const body = { bytes: 0, text: '' };
  const { headers } = incoming;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return body;
  incoming.on('data', (chunk: Buffer) => {
    body.bytes += chunk.byteLength;
    if (body.text.length < SEARCHED_BYTES) body.text += chunk.toString('latin1');
  });
  await new Promise<void>((resolve) => {
    incoming.once('end', resolve);
    incoming.once('close', resolve);
  });
  return body;
}
