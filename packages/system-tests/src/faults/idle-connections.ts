import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { startServe } from '../serving/start-serve.ts';

/** What the server opens beside connections. */
const otherFiles = 200;

/** Expects an answer from the built command while another process holds so many connections to it and says nothing. */
export async function answerBesideIdleConnections(wanted: number): Promise<void> {
  const count = Math.min(wanted, openFileLimit() - otherFiles);
  const server = await startServe(['--in-memory']);
  const ask = () => fetch(`${server.baseUrl}/v1/memories`, { headers: { 'x-api-key': server.apiKey } });
  const holder = holdConnections(new URL(server.baseUrl).port, count);
  try {
    expect(await lineOf(holder)).toBe(String(count));
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    const elapsed = Math.round(performance.now() - startedAt);
    console.log(`${count} idle connections, and 20 lists beside them in ${elapsed} ms`);
    for (const answer of answers) expect(await answer.json()).toHaveLength(24);
    expect(elapsed).toBeLessThan(5_000);
    expect(holder.exitCode).toBeNull();
  } finally {
    const closedAt = performance.now();
    await server.close();
    // Nothing is under way on them, so that none keeps the server from ending.
    expect(performance.now() - closedAt).toBeLessThan(5_000);
    holder.kill();
  }
  expect(server.child.exitCode).toBe(0);
}

function holdConnections(port: string, count: number): ChildProcess {
  const program = join(import.meta.dirname, 'hold-connections.ts');
  return spawn(process.execPath, [program, port, String(count)], { stdio: ['ignore', 'pipe', 'ignore'] });
}

async function lineOf({ stdout }: ChildProcess): Promise<unknown> {
  if (!stdout) throw new Error('Its output is not piped.');
  const lines = createInterface({ input: stdout });
  return (await Promise.race([once(lines, 'line'), once(lines, 'close')]))[0];
}

function openFileLimit(): number {
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
  return Number.isNaN(limit) ? Number.POSITIVE_INFINITY : limit;
}
