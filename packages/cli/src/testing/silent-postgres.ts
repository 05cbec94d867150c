import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server that accepts connections. */
export interface SilentPostgres {
  href: string;
  /** Resolves with the first connection. */
  connected: Promise<unknown>;
}

/** Starts a server that accepts connections and sends nothing. */
export function startSilentPostgres(): Promise<SilentPostgres> {
  return listen(() => {});
}

/** A server that accepts connections and users, and responds only to the statements that a test names. */
export interface MutePostgres extends SilentPostgres {
  /** Sockets of the connections that are open, in the order of their beginning. */
  readonly sockets: ReadonlySet<Socket>;
  /** Whether new users are accepted. Initially true. */
  acceptsUsers: boolean;
  /** Responds to a statement with parameters, which returns no row. Initially nothing is responded to. */
  responds(statement: string): boolean;
}

export async function startMutePostgres(): Promise<MutePostgres> {
  const sockets = new Set<Socket>();
  const server = await listen((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    let hasUser = false;
    socket.on('data', (bytes) => {
      if (!hasUser) {
        hasUser = mute.acceptsUsers;
        if (hasUser) socket.write(Buffer.concat([authenticationOk, readyForQuery]));
        return;
      }
      if (mute.responds(bytes.toString('latin1'))) socket.write(Buffer.concat([emptyResult, readyForQuery]));
    });
  });
  const mute: MutePostgres = { ...server, sockets, acceptsUsers: true, responds: () => false };
  return mute;
}

/** Returns a message of the server (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const authenticationOk = message('R', Buffer.alloc(4));
const readyForQuery = message('Z', Buffer.from('I'));
const emptyResult = Buffer.concat([
  ...['1', '2', 'n'].map((type) => message(type, Buffer.alloc(0))),
  message('C', Buffer.from('SELECT 0\0')),
]);

async function listen(onConnection: (socket: Socket) => void): Promise<SilentPostgres> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    onConnection(socket);
  });
  const connected = once(server, 'connection');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { href: `postgres://ada@127.0.0.1:${(server.address() as AddressInfo).port}/memories`, connected };
}
