import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { megabytesOf, type ServeProcess, startServe } from '../serving/start-serve.ts';

/** File descriptors that a process needs besides connections. */
const otherFiles = 200;
const stalled = 300;
const idle = Math.min(runCounts.idleConnections.full, openFileLimit() - otherFiles);

test.each([
  { each: 400, isReset: true },
  { each: 16, isReset: false },
])(
  '$each requests on each of 300 connections that read nothing stall no other caller and fill no memory',
  async ({ each, isReset }) => {
    const server = await startServe(['--in-memory']);
    onTestFinished(server.close);
    const ask = async (path: string) => (await fetch(server.baseUrl + path)).text();
    await ask('/openapi.json');
    const before = megabytesOf(server, 'VmRSS');
    const sockets = await holdConnections(server, stalled);
    const closed = sockets.map((socket) => new Promise((resolve) => socket.on('close', resolve)));
    for (const socket of sockets) socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(each));
    expect(await ask('/healthz')).toBe('{"status":"ok"}');
    if (isReset) {
      for (const socket of sockets) socket.resume();
      await Promise.all(closed);
    }
    expect(await ask('/healthz')).toBe('{"status":"ok"}');
    const grown = megabytesOf(server, 'VmHWM') - before;
    console.log(`${stalled} connections with ${each} requests: at most ${grown} MB above ${before} MB`);
    // The benchmark has the goal of 250 MB. Before the limits, the first attack took more than 800 MB.
    expect(grown).toBeLessThan(400);
    for (const socket of sockets) socket.destroy();
    // Only the connection of these requests is left.
    await vi.waitFor(() => expect(openSocketsOf(server)).toBeLessThan(20), 30_000);
    await server.close();
    expect(server.child.exitCode).toBe(0);
  },
  120_000,
);

test(`${idle} connections that send nothing delay neither other callers nor the end`, async () => {
  const server = await startServe(['--in-memory', '--max-connections', String(idle + otherFiles)]);
  onTestFinished(server.close);
  const sockets: Socket[] = [];
  while (sockets.length < idle) sockets.push(...(await holdConnections(server, Math.min(100, idle - sockets.length))));
  const startedAt = performance.now();
  const ask = () => fetch(`${server.baseUrl}/v1/memories`, { headers: { 'x-api-key': server.apiKey } });
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  const elapsed = Math.round(performance.now() - startedAt);
  console.log(`${idle} idle connections, and 20 lists beside them in ${elapsed} ms`);
  for (const answer of answers) expect(await answer.json()).toHaveLength(24);
  expect(elapsed).toBeLessThan(30_000);
  expect(openSocketsOf(server)).toBeGreaterThan(idle);
  const closedAt = performance.now();
  await server.close();
  // No request is in flight, so `close` must not wait for these connections. Otherwise it would wait for 10 s.
  expect(performance.now() - closedAt).toBeLessThan(9_000);
  expect(server.child.exitCode).toBe(0);
});

/** Opens connections that read nothing. They end with the test. */
async function holdConnections({ baseUrl }: ServeProcess, count: number): Promise<Socket[]> {
  const port = Number(new URL(baseUrl).port);
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

function openSocketsOf({ child }: ServeProcess): number {
  const folder = `/proc/${child.pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:');
    } catch {
      return false; // It was closed meanwhile.
    }
  }).length;
}

function openFileLimit(): number {
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
  return Number.isNaN(limit) ? Number.POSITIVE_INFINITY : limit;
}
