import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { MockServer, MockServerOptions, MockSpace } from './mock-server.ts';
import { startMockServer } from './start-mock-server.ts';

/** Starts a mock server that ends with the test. */
export async function openServer(options: MockServerOptions = {}): Promise<MockServer> {
  const server = await startMockServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** Reads from the API of a space with its key. */
export function get(space: MockSpace, path = '/v1/memories', init: RequestInit = {}): Promise<Response> {
  return fetch(space.baseUrl + path, {
    ...init,
    headers: { authorization: `Bearer ${space.apiKey}`, ...init.headers },
  });
}

/** Returns the URL of the audio of a new memory. */
export async function audioUrlOf(space: MockSpace): Promise<string> {
  const { id } = space.memories.add();
  const { audio_url } = (await (await get(space, `/v1/memories/${id}`)).json()) as { audio_url: string };
  return audio_url;
}

/** A connection that sends bytes as they are. */
export interface RawConnection {
  socket: Socket;
  /** Sends bytes. */
  send(bytes: string): void;
  /** Returns all that arrived when it matches. */
  received(pattern: RegExp): Promise<string>;
  /** Returns how the connection ended: `closed`, or the code of an error. */
  ended: Promise<string>;
}

export async function openConnection(url: string): Promise<RawConnection> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  const ended = new Promise<string>((resolve) => {
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
    socket.on('close', () => resolve('closed'));
  });
  await once(socket, 'connect');
  return {
    socket,
    ended,
    send: (bytes) => void socket.write(bytes),
    async received(pattern) {
      while (!pattern.test(text)) await once(socket, 'data');
      return text;
    },
  };
}

/** Returns the bytes of a GET. */
export function getBytes(space: MockSpace, path = '/v1/memories', headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nhost: mock\r\nx-api-key: ${space.apiKey}\r\n${headers}\r\n`;
}
