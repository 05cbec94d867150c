import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A server that accepts every user. It answers `SHOW transaction_read_only`, and rejects all other statements with
 * 25006 if it is read-only.
 */
export interface FakePostgres {
  port: number;
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
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)));
    fake.connections += 1;
    socket.once('data', () => {
      if (fake.refusal) socket.end(error(fake.refusal.code));
      else socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
      socket.on('data', (query) => {
        if (query[0] !== letter('Q')) return;
        const isShow = query.includes('SHOW transaction_read_only');
        const reply = isShow
          ? [row(fake.isReadOnly ? 'on' : 'off'), done]
          : fake.isReadOnly
            ? [error('25006')]
            : [done];
        socket.write(Buffer.concat([...reply, ready]));
      });
    });
  });
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    disconnect();
  });
  const { port } = server.address() as AddressInfo;
  const fake: FakePostgres = { port, connections: 0, isReadOnly: false, disconnect, ...state };
  return fake;
}

const done = message('C', Buffer.from('SHOW\0'));
const ready = message('Z', Buffer.from('I'));

function row(value: string): Buffer {
  // One column: its name, and then table, column, type (25 is text), size, modifier and format.
  const column = Buffer.from('00000000000000000019ffffffffffff0000', 'hex');
  const count = Buffer.from([0, 1]);
  const length = Buffer.from([0, 0, 0, value.length]);
  return Buffer.concat([
    message('T', Buffer.concat([count, Buffer.from('transaction_read_only\0'), column])),
    message('D', Buffer.concat([count, length, Buffer.from(value)])),
  ]);
}

function error(code: string): Buffer {
  return message('E', Buffer.from(`SERROR\0C${code}\0Mfake\0\0`));
}

function message(type: string, payload: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head[0] = letter(type);
  head.writeInt32BE(payload.length + 4, 1);
  return Buffer.concat([head, payload]);
}

function letter(text: string): number {
  return text.charCodeAt(0);
}
