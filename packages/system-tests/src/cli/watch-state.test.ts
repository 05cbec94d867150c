import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { jsonLines, startCommand, startCommandInto } from './run-command.ts';
import { type Account, listed, startAccount } from './start-account.ts';

test.each([
  ['cut off', '{"type":"added","mem', '{"type":"added","mem\n'],
  ['whole', '{"type":"missing","memoryId":"mem_0"}\n', '{"type":"missing","memoryId":"mem_0"}\n'],
  ['not there', '', ''],
])('if the last line of a file is %s, new output starts on its own line', async (_case, before, after) => {
  const { account, folder, state } = await watched();
  const output = join(folder, 'changes.jsonl');
  writeFileSync(output, before);
  account.memories = [listed({ name: 'Renamed' })];
  const polled = afterPolls(3, account);
  const watch = startCommandInto(output, ['watch', '--interval', '20ms', '--state', state], { env: account.env });
  await polled;
  watch.kill('SIGINT');
  await once(watch, 'exit');
  const written = readFileSync(output, 'utf8');
  expect(written.slice(0, after.length)).toBe(after);
  expect(JSON.parse(written.slice(after.length))).toMatchObject({ type: 'changed', fields: ['name'] });
});

test('a skipped first list remains skipped after a crash before any change', async () => {
  const { account, folder } = await watched();
  const args = ['watch', '--interval', '20ms', '--skip-existing', '--state', join(folder, 'other.json')];
  const polled = afterPolls(3, account);
  const killed = startCommand(args, { env: account.env });
  await polled;
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  account.memories = [listed({ id: 'mem_2' }), ...account.memories];
  expect(await firstChanges(args, account)).toMatchObject([{ type: 'added' }, { type: 'processed' }]);
});

/** Starts an account with one memory, and stores the state of a watch that has reported it. */
async function watched() {
  const folder = makeFolder();
  const account = await startAccount([listed()]);
  const state = join(folder, 'state.json');
  await firstChanges(['watch', '--state', state], account);
  return { account, folder, state };
}

/** Resolves when the account was polled this many times. The state is stored by the next poll at the latest. */
function afterPolls(count: number, account: Account): Promise<void> {
  return new Promise((resolve) => {
    let polls = 0;
    account.onRequest = () => {
      polls += 1;
      if (polls === count) resolve();
    };
  });
}

/** Returns the output of a watch for its first poll with changes. Ctrl+C ends the watch. */
async function firstChanges(args: string[], { env }: Account): Promise<unknown[]> {
  const watch = startCommand(args, { env });
  const [printed] = await once(watch.stdout, 'data');
  watch.kill('SIGINT');
  expect(await once(watch, 'exit')).toEqual([130, null]);
  return jsonLines(printed);
}
