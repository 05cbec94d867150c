import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { useCatalogue } from '@memory-read/integration-tests/client/faults/played-catalogue';
import { expect, test } from 'vitest';

const played = useCatalogue();

test.each([
  'the caller aborts when the backoff begins',
  'the caller aborts during the backoff',
  'the caller aborts during the body',
  'the caller aborts while no response arrives',
  'the body stalls',
  'a 200 with Connection: close stays open',
])('where %s, the process ends as soon as the call has ended', async (name) => {
  const program = ['--conditions=@memory-read/source', join(import.meta.dirname, 'run-one.ts')];
  const args = [...program, name, played().addressOf(name)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [violations] = await once(child.stdout, 'data');
  expect(JSON.parse(violations)).toEqual([]);
  const endedAt = performance.now();
  expect(await exited).toEqual([0, null]);
  // Shorter than the backoff of one minute and the timeouts of 30 s.
  expect(performance.now() - endedAt).toBeLessThan(20_000);
});
