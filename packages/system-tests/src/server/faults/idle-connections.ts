import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { serve } from '@memory-read/server/node';
import { expect, test } from 'vitest';
import { startServe } from '../serving/start-serve.ts';

/** File descriptors that the server needs besides connections. */
const otherFiles = 200;

/** Tests a server while another process holds this number of connections, and requests of other clients meanwhile. */
export function testIdleConnections(wanted: number): void {
  const count = Math.min(wanted, openFileLimit() - otherFiles);

  test(`${count} connections that say nothing keep nobody else waiting`, () => answerBesideIdleConnections(count));

  test(`${count} connections that say nothing are told that they are late, and closed`, () =>
    closeIdleConnections(count));
}

async function answerBesideIdleConnections(count: number): Promise<void> {
  const server = await startServe(['--in-memory', '--max-connections', String(count + otherFiles)]);
  const ask = () => fetch(`${server.baseUrl}/v1/memories`, { headers: { 'x-api-key': server.apiKey } });
  const holder = holdConnections(new URL(server.baseUrl).port, count);
  try {
    expect((await linesOf(holder).next()).value).toBe(String(count));
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    const elapsed = Math.round(performance.now() - startedAt);
    console.log(`${count} idle connections, and 20 lists beside them in ${elapsed} ms`);
    for (const answer of answers) expect(await answer.json()).toHaveLength(24);
    expect(elapsed).toBeLessThan(30_000);
    expect(holder.exitCode).toBeNull();
  } finally {
    const closedAt = performance.now();
    await server.close();
    // No request is in flight, so `close` must not wait for these connections. Otherwise it would wait for 10 s.
    expect(performance.now() - closedAt).toBeLessThan(9_000);
    holder.kill();
  }
  expect(server.child.exitCode).toBe(0);
}

async function closeIdleConnections(count: number): Promise<void> {
  // As long as it takes to open all connections, so that most of them are open at the same time.
  const requestTimeout = count / 2;
  const server = await serve({
    port: 0,
    fetch: async () => new Response('here'),
    requestTimeout,
    maxConnections: count + otherFiles,
  });
  const holder = holdConnections(String(server.port), count);
  try {
    const lines = linesOf(holder);
    expect((await lines.next()).value, 'opened').toBe(String(count));
    expect(await (await fetch(server.url)).text()).toBe('here');
    expect((await lines.next()).value, 'told that they are late, and closed').toBe(String(count));
  } finally {
    holder.kill();
    await server.close();
  }
}

function holdConnections(port: string, count: number): ChildProcess {
  const program = join(import.meta.dirname, 'hold-connections.ts');
  return spawn(process.execPath, [program, port, String(count)], { stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Yields the lines of its output. */
function linesOf({ stdout }: ChildProcess): AsyncIterator<string, undefined> {
  if (!stdout) throw new Error('Its output is not piped.');
  return createInterface({ input: stdout })[Symbol.asyncIterator]();
}

function openFileLimit(): number {
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
  return Number.isNaN(limit) ? Number.POSITIVE_INFINITY : limit;
}
