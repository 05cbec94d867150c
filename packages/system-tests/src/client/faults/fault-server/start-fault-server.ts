import { createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { CertificateKind, Fault, Step } from '../fault.ts';
import type { Certificate } from './create-certificate.ts';
import { createPeer, type Peer, playSteps } from './play-steps.ts';

/** What the server saw of one fault. */
export interface Observed {
  connections: number;
  requests: number;
  /** Connections that are not yet done with: one that stalls counts until the client lets go of it. */
  playing: number;
}

export interface FaultServer {
  /** The base URL at which each fault is met, by its name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** By the name of the fault. */
  readonly observed: Readonly<Record<string, Observed>>;
  /** Requests to the second server, to which faults redirect: there must be none. */
  readonly strays: { connections: number };
  close(): void;
}

interface Station {
  readonly fault: Fault;
  readonly observed: Observed;
  readonly other: string;
  origin: string;
}

const host = '127.0.0.1';

/** Gives every fault a port of its own and plays it there. */
export async function startFaultServer(
  faults: readonly Fault[],
  certificates: Readonly<Record<CertificateKind, Certificate>>,
): Promise<FaultServer> {
  const strays = { connections: 0 };
  const second = createServer((socket) => {
    strays.connections += 1;
    socket.destroy();
  });
  const servers = [second];
  const other = `http://${host}:${await listen(second)}`;
  const addresses: Record<string, string> = {};
  const observed: Record<string, Observed> = {};
  for (const fault of faults) {
    const seen = { connections: 0, requests: 0, playing: 0 };
    const station: Station = { fault, observed: seen, other, origin: fault.place?.address ?? '' };
    if (station.origin === '') {
      const server = createStation(station, certificates);
      servers.push(server);
      station.origin = `${fault.place?.scheme ?? 'http'}://${host}:${await listen(server)}`;
    }
    addresses[fault.name] = station.origin;
    observed[fault.name] = seen;
  }
  return { addresses, observed, strays, close: () => servers.forEach((server) => void server.close()) };
}

function createStation(station: Station, certificates: Readonly<Record<CertificateKind, Certificate>>): Server {
  const accept = (connection: Duplex) => void serveConnection(station, connection);
  const kind = station.fault.place?.certificate;
  return kind === undefined ? createServer(accept) : createTlsServer(certificates[kind], accept);
}

async function serveConnection(station: Station, connection: Duplex): Promise<void> {
  const { fault, observed } = station;
  observed.connections += 1;
  const peer = createPeer(connection);
  // Clients break off, as they should.
  connection.on('error', () => {});
  if (fault.onConnect !== undefined) {
    connection.resume();
    await play(station, peer, fault.onConnect);
    return;
  }
  for await (const request of requestsOf(connection)) {
    const answers = fault.answers ?? [];
    const steps = answers[Math.min(observed.requests, answers.length - 1)] ?? [];
    observed.requests += 1;
    // Not awaited: a client that closes its side is noticed only while its side is read.
    void play(station, peer, steps, request);
  }
}

async function play({ observed, origin, other }: Station, peer: Peer, steps: readonly Step[], request = '') {
  const key = /^authorization: (.*)$/im.exec(request)?.[1] ?? '';
  const fill = (text: string) =>
    text.replaceAll('{origin}', origin).replaceAll('{other}', other).replaceAll('{key}', key);
  observed.playing += 1;
  await playSteps(
    peer,
    steps.map((step) => (typeof step === 'string' ? fill(step) : step)),
  );
  observed.playing -= 1;
}

/** The heads of the requests that come on a connection; none has a body. */
async function* requestsOf(connection: Duplex): AsyncGenerator<string> {
  let received = '';
  try {
    for await (const chunk of connection.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      received += chunk.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
        yield received.slice(0, end);
        received = received.slice(end + 4);
      }
    }
  } catch {
    // Broken off by the client, or by a step.
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, host, resolve));
  const address = server.address() as { port: number };
  return address.port;
}
