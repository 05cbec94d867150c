import { once } from 'node:events';
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, test } from 'vitest';
import { killWatches } from './killed-watches.ts';
import { jsonLines, runCommand, startCommand, startCommandInto } from './run-command.ts';
import { type Account, listed, startAccount } from './start-account.ts';

test('loses no change when a watch is killed and restarted, and repeats at most one poll per kill', () =>
  killWatches(runCounts.killedWatches.short));

test('a watch resumes where the previous one with its state ended', async () => {
  const { account, state } = await watched();
  account.memories = [listed({ id: 'mem_2' }), listed({ name: 'Renamed' })];
  const changes = await watchOnce(['--state', state], account);
  expect(changes.map(({ type }) => type)).toEqual(['changed', 'added', 'processed']);
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
  const looked = afterLooks(3, account);
  const watch = startCommandInto(output, ['watch', '--interval', '20ms', '--state', state], { env: account.env });
  await looked;
  watch.kill('SIGINT');
  await once(watch, 'exit');
  const written = readFileSync(output, 'utf8');
  expect(written.slice(0, after.length)).toBe(after);
  expect(JSON.parse(written.slice(after.length))).toMatchObject({ type: 'changed', fields: ['name'] });
});

test('a skipped first list remains skipped after a crash before any change', async () => {
  const { account, folder } = await watched();
  const args = ['--skip-existing', '--state', join(folder, 'other.json')];
  await lookAt(account, args, 2, 'SIGKILL');
  account.memories = [listed({ id: 'mem_2' }), ...account.memories];
  expect((await watchOnce(args, account)).map(({ type }) => type)).toEqual(['added', 'processed']);
});

test('the state is readable only by its owner, and no other file remains', async () => {
  const { folder, state } = await watched();
  expect(statSync(state).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['state.json']);
});

test('rejects the state of another account, and does not change it', async () => {
  const { account, state } = await watched();
  const before = readFileSync(state, 'utf8');
  account.memories = [listed({ user_id: 'user_2' })];
  const { stdout, stderr, code } = await runCommand(['watch', '--state', state], { env: account.env });
  expect(stderr).toMatch(/^Failed to resume the watch: its state belongs to another account or base URL\./);
  expect([stdout, code, readFileSync(state, 'utf8')]).toEqual(['', 2, before]);
});

test.each(['', 'hush', '{"version":9}', '[]'])(
  'rejects a file with “%s” as a state, and does not change it',
  async (content) => {
    const { account, state } = await watched();
    writeFileSync(state, content);
    const { stdout, stderr, code } = await runCommand(['watch', '--state', state], { env: account.env });
    expect(stderr).toMatch(/^Failed to [^\n]+\n$/);
    expect(stderr).not.toContain('hush');
    expect([stdout, code, readFileSync(state, 'utf8')]).toEqual(['', 2, content]);
  },
);

test('reports before the first poll that a state cannot be stored', async () => {
  const { account, folder } = await watched();
  let looks = 0;
  account.onRequest = () => {
    looks += 1;
  };
  const run = await runCommand(['watch', '--state', join(folder, 'none', 'state.json')], { env: account.env });
  expect(run).toMatchObject({
    stdout: '',
    code: 1,
    stderr: `Failed to write the state ${JSON.stringify(join(folder, 'none', 'state.json'))}: its folder does not exist. Check --state.\n`,
  });
  expect(looks).toBe(0);
});

test('rejects a state with memories if the list is empty, unless that is allowed', async () => {
  const { account, state } = await watched();
  const before = readFileSync(state, 'utf8');
  account.memories = [];
  const { stdout, stderr, code } = await runCommand(['watch', '--state', state], { env: account.env });
  expect(stderr).toMatch(/^Failed to resume the watch: the list is empty, but the state has 1 memory; /);
  expect([stdout, code, readFileSync(state, 'utf8')]).toEqual(['', 2, before]);
  const allowed = await watchOnce(['--state', state, '--allow-empty'], account);
  expect(allowed).toEqual([{ type: 'missing', memoryId: 'mem_1' }]);
});

test('reports memories as missing that are all deleted while a watch runs', async () => {
  const { account, state } = await watched();
  let looks = 0;
  account.onRequest = () => {
    looks += 1;
    if (looks > 1) account.memories = [];
  };
  expect(await watchOnce(['--state', state, '--interval', '20ms'], account)).toEqual([
    { type: 'missing', memoryId: 'mem_1' },
  ]);
  account.onRequest = () => {};
  account.memories = [listed({ id: 'mem_2' })];
  const changes = await watchOnce(['--state', state], account);
  expect(changes.map(({ type }) => type)).toEqual(['added', 'processed']);
});

test('rejects a state of another base URL before any request, even one without memories', async () => {
  const { account, state, folder } = await watched();
  const other = await startAccount([]);
  let requests = 0;
  other.onRequest = () => {
    requests += 1;
  };
  const empty = join(folder, 'empty.json');
  const emptyAccount = await startAccount([]);
  await lookAt(emptyAccount, ['--state', empty]);
  for (const path of [state, empty]) {
    const { stderr, code } = await runCommand(['watch', '--state', path], { env: other.env });
    expect(stderr).toBe(
      'Failed to resume the watch: the state belongs to another server. Pass the old --base-url, or another --state.\n',
    );
    expect([code, requests]).toEqual([2, 0]);
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

test('the next watch removes the temporary file of a killed one', async () => {
  const { account, folder, state } = await watched();
  writeFileSync(`${state}.tmp`, '{"half');
  account.memories = [listed({ name: 'Renamed' })];
  await watchOnce(['--state', state], account);
  expect(readdirSync(folder)).toEqual(['state.json']);
});

/** Starts an account with one memory, and stores the state of a watch that has reported it. */
async function watched() {
  const folder = makeFolder();
  const account = await startAccount([listed()]);
  const state = join(folder, 'state.json');
  await watchOnce(['--state', state], account);
  return { account, folder, state };
}

/** Polls an account without changes. The state is stored by the next poll at the latest. */
async function lookAt(account: Account, args: string[], looks = 3, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  const looked = afterLooks(looks, account);
  const watch = startCommand(['watch', '--interval', '20ms', ...args], { env: account.env });
  await looked;
  watch.kill(signal);
  await once(watch, 'exit');
}

/** Resolves when the account was polled this many times. */
function afterLooks(count: number, account: Account): Promise<void> {
  return new Promise((resolve) => {
    let looks = 0;
    account.onRequest = () => {
      looks += 1;
      if (looks === count) resolve();
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
