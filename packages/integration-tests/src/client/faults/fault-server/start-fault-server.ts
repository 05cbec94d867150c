import { createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { CertificateKind, Fault, Step } from '../fault.ts';
import { createPeer, type Peer, playSteps } from './play-steps.ts';

/** What the server has observed for one fault. */
interface Observed {
  requests: number;
  /** Number of open connections. One that stalls counts until the client closes it. */
  playing: number;
}

/** What the server has observed so far. */
export interface Sightings {
  /** Observations by the name of the fault. */
  readonly faults: Record<string, Observed>;
  /** Connections to the second server, the target of redirects. The client must not open any. */
  strays: number;
  /** Each key that arrived, with its `User-Agent`. */
  readonly callers: string[];
}

interface Station {
  readonly fault: Fault;
  readonly observed: Observed;
  readonly seen: Sightings;
  readonly other: string;
  origin: string;
}

const host = '127.0.0.1';

/** Gives each fault its own port, and runs its steps there. */
export async function startFaultServer(faults: readonly Fault[], certificateOf: (kind: CertificateKind) => string) {
  const seen: Sightings = { faults: {}, strays: 0, callers: [] };
  const second = createServer((socket) => {
    seen.strays += 1;
    socket.destroy();
  });
  const other = `http://${host}:${await listen(second)}`;
  const addresses: Record<string, string> = {};
  for (const fault of faults) {
    const observed = { requests: 0, playing: 0 };
    const station: Station = { fault, observed, seen, other, origin: fault.place?.address ?? '' };
    if (station.origin === '') {
      const port = await listen(createStation(station, certificateOf));
      station.origin = `${fault.place?.scheme ?? 'http'}://${host}:${port}`;
    }
    addresses[fault.name] = station.origin;
    seen.faults[fault.name] = observed;
  }
  return { addresses, seen };
}

function createStation(station: Station, certificateOf: (kind: CertificateKind) => string): Server {
  const accept = (connection: Duplex) => void serveConnection(station, connection);
  const kind = station.fault.place?.certificate;
  if (kind === undefined) return createServer(accept);
  // The file has the certificate and its key.
  return createTlsServer({ cert: certificateOf(kind), key: certificateOf(kind) }, accept);
}

async function serveConnection(station: Station, connection: Duplex): Promise<void> {
  const { fault, observed, seen } = station;
  const peer = createPeer(connection);
  // Clients are expected to abort connections.
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
    note(seen.callers, request);
    // Not awaited: the server notices that a client has closed its side only while it reads the connection.
    void play(station, peer, steps);
  }
}

async function play({ observed, origin, other }: Station, peer: Peer, steps: readonly Step[]): Promise<void> {
  const fill = (text: string) => text.replaceAll('{origin}', origin).replaceAll('{other}', other);
  observed.playing += 1;
  await playSteps(
    peer,
    steps.map((step) => (typeof step === 'string' ? fill(step) : step)),
  );
  observed.playing -= 1;
}

function note(callers: string[], request: string): void {
  const key = /^authorization: (.*)$/im.exec(request)?.[1];
  // A request without a key is not from the client: see `ahead`.
  if (key === undefined) return;
  const caller = `${key}, ${/^user-agent: (.*)$/im.exec(request)?.[1]}`;
  if (!callers.includes(caller)) callers.push(caller);
}

/** Yields the heads of the requests on a connection. None of them has a body. */
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
    // The client or a step has aborted the connection.
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, host, resolve));
  const address = server.address() as { port: number };
  return address.port;
}
