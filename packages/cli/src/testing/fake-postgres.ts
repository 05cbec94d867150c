import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server that accepts connections. */
export interface SilentPostgres {
  port: number;
  href: string;
  /** Resolves with the first connection. */
  connected: Promise<unknown>;
  /** Sockets of the connections that are open, in the order of their beginning. */
  readonly sockets: ReadonlySet<Socket>;
}

/** Starts a server that accepts connections and sends nothing. */
export function startSilentPostgres(): Promise<SilentPostgres> {
  return listen(() => {});
}

/** A server that accepts connections and users, and responds only to the statements that a test names. */
export interface MutePostgres extends SilentPostgres {
  /** Whether new users are accepted. Initially true. */
  acceptsUsers: boolean;
  /** Responds to a statement with parameters, which returns no row. Initially nothing is responded to. */
  responds(statement: string): boolean;
}

export async function startMutePostgres(): Promise<MutePostgres> {
  const server = await listen((socket) => {
    let hasUser = false;
    socket.on('data', (bytes) => {
      if (!hasUser) {
        hasUser = mute.acceptsUsers;
        if (hasUser) socket.write(welcome);
      } else if (mute.responds(bytes.toString('latin1'))) socket.write(Buffer.concat([...emptyResult, ready]));
    });
  });
  const mute: MutePostgres = { ...server, acceptsUsers: true, responds: () => false };
  return mute;
}

/**
 * A server that accepts every user. It answers `SHOW transaction_read_only`, and rejects all other statements with
 * 25006 if it is read-only.
 */
export interface FakePostgres extends SilentPostgres {
  /** Number of connections since its start. */
  connections: number;
  isReadOnly: boolean;
  /** The error that each new connection gets. */
  refusal?: { code: string } | undefined;
  /** Closes all connections. */
  disconnect(): void;
}

/** Starts a fake server on a free port. It implements the parts of the protocol that a simple query needs. */
export async function startFakePostgres(state: Partial<FakePostgres> = {}): Promise<FakePostgres> {
  const server = await listen((socket) => {
    fake.connections += 1;
    socket.once('data', () => {
      if (fake.refusal) socket.end(error(fake.refusal.code));
      else socket.write(welcome);
      socket.on('data', (query) => {
        if (query.toString('latin1', 0, 1) !== 'Q') return;
        const isShow = query.includes('SHOW transaction_read_only');
        const rejected = fake.isReadOnly ? [error('25006')] : [done];
        socket.write(Buffer.concat([...(isShow ? [row(fake.isReadOnly ? 'on' : 'off'), done] : rejected), ready]));
      });
    });
  });
  const disconnect = () => {
    for (const socket of server.sockets) socket.destroy();
  };
  const fake: FakePostgres = { ...server, connections: 0, isReadOnly: false, disconnect, ...state };
  return fake;
}

const ready = message('Z', 'I');
const done = message('C', 'SELECT 0\0');
const welcome = Buffer.concat([message('R', '\0\0\0\0'), ready]);
const emptyResult = [message('1'), message('2'), message('n'), done];

function row(value: string): Buffer {
  // One column: its name, and then table, column, type (25 is text), size, modifier and format.
  const column = Buffer.from('00000000000000000019ffffffffffff0000', 'hex').toString('latin1');
  const cell = `\0\x01\0\0\0${String.fromCharCode(value.length)}${value}`;
  return Buffer.concat([message('T', `\0\x01transaction_read_only\0${column}`), message('D', cell)]);
}

function error(code: string): Buffer {
  return message('E', `SERROR\0C${code}\0Mfake\0\0`);
}

/** Returns a message of the server (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
function message(type: string, content = ''): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`);
  head.writeInt32BE(4 + content.length, 1);
  return Buffer.concat([head, Buffer.from(content, 'latin1')]);
}

async function listen(onConnection: (socket: Socket) => void): Promise<SilentPostgres> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    onConnection(socket);
  });
  const connected = once(server, 'connection');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { port, href: `postgres://ada@127.0.0.1:${port}/memories`, connected, sockets };
}
