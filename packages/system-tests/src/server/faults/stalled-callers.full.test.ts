import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { megabytesOf, type ServeProcess, startServe } from '../serving/start-serve.ts';

const connections = 300;

test.each([
  { each: 400, isReset: true },
  { each: 16, isReset: false },
])(
  '$each requests on each of 300 connections that read nothing stall no other caller and fill no memory',
  async ({ each, isReset }) => {
    const server = await startServe(['--in-memory']);
    const sockets: Socket[] = [];
    try {
      const ask = async (path: string) => (await fetch(server.baseUrl + path)).text();
      await ask('/openapi.json');
      const before = megabytesOf(server, 'VmRSS');
      const closed = await Promise.all(Array.from({ length: connections }, () => hold(server, sockets)));
      for (const socket of sockets) socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(each));
      expect(await ask('/healthz')).toBe('{"status":"ok"}');
      if (isReset) {
        for (const socket of sockets) socket.resume();
        await Promise.all(closed.map(({ promise }) => promise));
      }
      expect(await ask('/healthz')).toBe('{"status":"ok"}');
      const grown = megabytesOf(server, 'VmHWM') - before;
      console.log(`${connections} connections with ${each} requests: at most ${grown} MB above ${before} MB`);
      // The benchmark has the goal of 250 MB. Before the limits, the first attack took more than 800 MB.
      expect(grown).toBeLessThan(400);
      for (const socket of sockets) socket.destroy();
      // Only the connection of these requests is left.
      await vi.waitFor(() => expect(socketsOf(server)).toBeLessThan(20), 30_000);
      expect(server.child.exitCode).toBeNull();
    } finally {
      await server.close();
      for (const socket of sockets) socket.destroy();
    }
    expect(server.child.exitCode).toBe(0);
  },
  120_000,
);

async function hold({ baseUrl }: ServeProcess, sockets: Socket[]) {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  const promise = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  await once(socket, 'connect');
  return { promise };
}

/** Returns the number of its open sockets. */
function socketsOf({ child }: ServeProcess): number {
  const folder = `/proc/${child.pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:');
    } catch {
      return false; // It was closed meanwhile.
    }
  }).length;
}
