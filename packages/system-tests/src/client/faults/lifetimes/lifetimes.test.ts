import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { useFaultServer } from '@memory-read/integration-tests/client/faults/fault-server/spawn-fault-server';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, test } from 'vitest';

const server = useFaultServer();

test.each([
  'the caller aborts when the backoff begins',
  'the caller aborts during the backoff',
  'the caller aborts during the body',
  'the caller aborts while no response arrives',
  'the body stalls',
  'a 200 with Connection: close stays open',
])('where %s, the process ends as soon as the call has ended', async (name) => {
  const program = run('run-one.ts', name, server().addressOf(name));
  expect(await lineOf(program)).toEqual([]);
  const startedAt = performance.now();
  await once(program, 'exit');
  // Shorter than the backoff of one minute and the timeouts of 30 s.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(program.exitCode).toBe(0);
});

test(`${runCounts.callsOnOneSignal.short} calls with one signal leave no listener on it and do not grow the heap`, async () => {
  const addresses = [server().addressOf('JSON has no Content-Type'), server().addressOf('a 503')];
  const program = run('call-often.ts', ...addresses, String(runCounts.callsOnOneSignal.short));
  const { listeners, grown } = (await lineOf(program)) as { listeners: number; grown: number };
  console.log(`${runCounts.callsOnOneSignal.short} calls on one signal: the heap grew by ${grown} bytes`);
  expect(listeners).toBe(0);
  // 100 bytes per call: a leak would hold several times as much.
  expect(grown).toBeLessThan(runCounts.callsOnOneSignal.short * 100);
}, 240_000);

function run(program: string, ...args: string[]): ChildProcess {
  const options = ['--expose-gc', '--conditions=@memory-read/source', join(import.meta.dirname, program)];
  return spawn(process.execPath, [...options, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function lineOf({ stdout }: ChildProcess): Promise<unknown> {
  if (!stdout) throw new Error('Its output is not piped.');
  const [line] = await once(createInterface({ input: stdout }), 'line');
  return JSON.parse(line);
}
