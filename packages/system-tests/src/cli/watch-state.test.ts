import { once } from 'node:events';
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { jsonLines, runCommand, startCommand, startCommandInto } from './run-command.ts';
import { type Account, listed, startAccount } from './start-account.ts';

test('a watch resumes where the previous one ended; its state is private, and no other file remains', async () => {
  const { account, folder, state } = await watched();
  // The next watch removes the temporary file of a killed one.
  writeFileSync(`${state}.tmp`, '{"half');
  account.memories = [listed({ id: 'mem_2' }), listed({ name: 'Renamed' })];
  expect(typesOf(await watchOnce(['--state', state], account))).toEqual(['changed', 'added', 'processed']);
  expect(statSync(state).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['state.json']);
});

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
  const args = ['--skip-existing', '--state', join(folder, 'other.json')];
  await watchWithoutChange(account, args, 'SIGKILL');
  account.memories = [listed({ id: 'mem_2' }), ...account.memories];
  expect(typesOf(await watchOnce(args, account))).toEqual(['added', 'processed']);
});

type Spoil = (account: Account, state: string) => void;

test.each<[string, Spoil, RegExp]>([
  [
    'of another account',
    (account) => {
      account.memories = [listed({ user_id: 'user_2' })];
    },
    /^Failed to resume the watch: its state belongs to another account or base URL\./,
  ],
  [
    'with memories if the list is empty',
    (account) => {
      account.memories = [];
    },
    /^Failed to resume the watch: the list is empty, but the state has 1 memory; /,
  ],
  ...['', '{"version":9}', '[]'].map((content): [string, Spoil, RegExp] => [
    `in a file with “${content}”`,
    (_account, state) => writeFileSync(state, content),
    /^Failed to [^\n]+\n$/,
  ]),
])('rejects a state %s, and does not change it', async (_case, spoil, message) => {
  const { account, state } = await watched();
  spoil(account, state);
  const before = readFileSync(state, 'utf8');
  const { stdout, stderr, code } = await runCommand(['watch', '--state', state], { env: account.env });
  expect(stderr).toMatch(message);
  expect([stdout, code, readFileSync(state, 'utf8')]).toEqual(['', 2, before]);
});

test('reports memories as missing that are deleted while a watch runs, or before it with --allow-empty', async () => {
  const { account, state } = await watched();
  const missing = [{ type: 'missing', memoryId: 'mem_1' }];
  account.memories = [];
  expect(await watchOnce(['--state', state, '--allow-empty'], account)).toEqual(missing);
  account.memories = [listed()];
  await watchOnce(['--state', state], account);
  const changes = watchOnce(['--state', state, '--interval', '20ms'], account);
  await afterPolls(2, account);
  account.memories = [];
  expect(await changes).toEqual(missing);
  account.memories = [listed({ id: 'mem_2' })];
  expect(typesOf(await watchOnce(['--state', state], account))).toEqual(['added', 'processed']);
});

test('sends no request if the state cannot be stored or belongs to another base URL, even without memories', async () => {
  const { account, state, folder } = await watched();
  const empty = join(folder, 'empty.json');
  await watchWithoutChange(await startAccount([]), ['--state', empty]);
  const other = await startAccount([]);
  other.onRequest = () => expect.fail('The watch sent a request.');
  const below = join(folder, 'none', 'state.json');
  const ofOther =
    'Failed to resume the watch: the state belongs to another server. Pass the old --base-url, or another --state.\n';
  for (const [path, code, stderr] of [
    [state, 2, ofOther],
    [empty, 2, ofOther],
    [below, 1, `Failed to write the state ${JSON.stringify(below)}: its folder does not exist. Check --state.\n`],
  ] as const) {
    expect(await runCommand(['watch', '--state', path], { env: other.env })).toEqual({ stdout: '', stderr, code });
  }
  const withSlash = { ...account, env: { ...account.env, MEMORY_API_URL: `${account.env.MEMORY_API_URL}/` } };
  account.memories = [listed({ name: 'Renamed' })];
  expect(await watchOnce(['--state', state], withSlash)).toMatchObject([{ type: 'changed' }]);
});

test('keeps a symbolic link to a state, even if the state does not exist yet', async () => {
  const { account, folder } = await watched();
  const link = join(folder, 'link.json');
  symlinkSync('real.json', link);
  await watchOnce(['--state', link], account);
  account.memories = [listed({ name: 'Renamed' })];
  await watchOnce(['--state', link], account);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['link.json', 'real.json', 'state.json']);
});

/** Starts an account with one memory, and stores the state of a watch that has reported it. */
async function watched() {
  const folder = makeFolder();
  const account = await startAccount([listed()]);
  const state = join(folder, 'state.json');
  await watchOnce(['--state', state], account);
  return { account, folder, state };
}

/** Polls an account three times. The state is stored by the next poll at the latest. */
async function watchWithoutChange(account: Account, args: string[], signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  const polled = afterPolls(3, account);
  const watch = startCommand(['watch', '--interval', '20ms', ...args], { env: account.env });
  await polled;
  watch.kill(signal);
  await once(watch, 'exit');
}

/** Resolves when the account was polled this many times. */
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
async function watchOnce(args: string[], { env }: Account): Promise<Record<string, unknown>[]> {
  const watch = startCommand(['watch', ...args], { env });
  const [printed] = await once(watch.stdout, 'data');
  watch.kill('SIGINT');
  const [code] = await once(watch, 'exit');
  expect(code).toBe(130);
  return jsonLines(printed);
}

function typesOf(changes: readonly Record<string, unknown>[]): unknown[] {
  return changes.map(({ type }) => type);
}
