import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryEvent } from '@memory-read/mirror';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
import { createExecSender } from './exec-sender.ts';

const event: MemoryEvent = {
  id: 'evt_1',
  type: 'memory.changed',
  timestamp: '2026-03-01T08:00:00.000Z',
  data: { memory_id: 'mem_$(touch hacked)', fields: ['name', 'summary'] },
};

function run(
  command: string,
  { timeout = 20_000, body = '{"id":"evt_1"}', signal = new AbortController().signal, sent = event } = {},
) {
  const cli = new TestProcess({ env: { PATH: '/usr/bin:/bin' } });
  const send = createExecSender({ process: cli, command, timeout });
  const result = Promise.resolve(send(sent, { attempt: 3, body, signal })).then(
    () => 'delivered',
    ({ name, message, action }) => `${name} ${action}: ${message}`,
  );
  return { cli, result };
}

test('passes the event as a line and as variables, which are never part of the command', async () => {
  const file = join(makeFolder(), 'input');
  const { cli, result } = run(
    `cat > ${file}; env | grep MEMORY_ | sort >> ${file}; echo said; echo "$MEMORY_EVENT_ID" >&2`,
  );
  expect(await result).toBe('delivered');
  expect(readFileSync(file, 'utf8')).toBe(`{"id":"evt_1"}
MEMORY_EVENT_ATTEMPT=3
MEMORY_EVENT_FIELDS=name,summary
MEMORY_EVENT_ID=evt_1
MEMORY_EVENT_MEMORY_ID=mem_$(touch hacked)
MEMORY_EVENT_TIMESTAMP=2026-03-01T08:00:00.000Z
MEMORY_EVENT_TYPE=memory.changed
`);
  await expect.poll(() => cli.stderr.text, { interval: 5 }).toMatch(/^(?:said\nevt_1|evt_1\nsaid)\n$/);
  expect([cli.stdout.text, existsSync('hacked')]).toEqual(['', false]);
});

test.each([
  ['exit 1', 'retry: the command ended with exit code 1'],
  ['exit 65', 'park: the command ended with exit code 65'],
  ['exit 75', 'unavailable: the command ended with exit code 75'],
  ['exit 78', 'stop: the command ended with exit code 78'],
  ['exit 126', 'stop: the command ended with exit code 126'],
  ['no-such-command', 'stop: the command ended with exit code 127'],
  ['kill -TERM $$', 'retry: the command was ended by SIGTERM'],
])('%j is %s', async (command, failure) => {
  expect(await run(command).result).toBe(`DeliveryError ${failure}`);
});

test('a command that does not read its input has not failed, and a process that it left is not waited for', async () => {
  expect(await run('exec true', { body: 'x'.repeat(5_000_000) }).result).toBe('delivered');
  expect(await run('sleep 5 &').result).toBe('delivered');
});

test('a timeout and an abort end the whole group', async () => {
  const file = join(makeFolder(), 'late');
  const command = `(sleep 1; touch ${file}) & sleep 60`;
  const failure = 'DeliveryError unavailable: the command did not end';
  expect(await run(command, { timeout: 50 }).result).toBe(`${failure} within 50 ms`);
  const aborted = AbortSignal.abort();
  expect(await run('sleep 60', { signal: aborted }).result).toBe(`${failure} before the deliveries were ended`);
  expect(existsSync(file)).toBe(false);
});

test('a value with NUL or of more than 100,000 bytes is left out', async () => {
  const file = join(makeFolder(), 'variables');
  const sent = { ...event, data: { memory_id: 'mem\0', fields: ['x'.repeat(200_000)] } };
  expect(await run(`env | grep -c MEMORY_ > ${file}`, { sent }).result).toBe('delivered');
  expect(readFileSync(file, 'utf8')).toBe('4\n');
});
