import { once } from 'node:events';
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { jsonLines } from '../testing/json-lines.ts';
import { runCli, startCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';

type Account = Awaited<ReturnType<typeof serveAccount>>;

test('a watch resumes where the previous one ended; its state is private, and no other file remains', async () => {
  const { account, folder, state } = await watched();
  // The next watch removes the temporary file of a killed one.
  writeFileSync(`${state}.tmp`, '{"half');
  await account.put({ id: 'mem_2' }, { name: 'Renamed' });
  const changes = await watchOnce(['--state', state], account);
  expect(changes.map(({ type }) => type).sort()).toEqual(['added', 'changed', 'processed']);
  expect(statSync(state).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['state.json']);
});

test('a state file that an earlier version wrote is read without a change, and gets the new form', async () => {
  const { account, folder, state } = await watched();
  const written = readFileSync(state, 'utf8');
  // Earlier versions stored the digests of the texts 2026-03-01T08:00:00.000Z and 2026-03-01T08:10:00.000Z.
  const earlier = written.replace(' 5syghxat10 1qvzdgbmrme ', ' 6z322ftau7 1mkte1ugrg3 ');
  expect(earlier).not.toBe(written);
  writeFileSync(state, earlier);
  await account.put({ id: 'mem_2' });
  const changes = await watchOnce(['--state', state], account);
  expect(changes.map(({ type }) => type)).toEqual(['added', 'processed']);
  expect(readFileSync(state, 'utf8')).not.toContain(' 6z322ftau7 1mkte1ugrg3 ');
  expect(readdirSync(folder)).toEqual(['state.json']);
});

test('keeps a symbolic link to a state, even if the state does not exist yet', async () => {
  const { account, folder } = await watched();
  const link = join(folder, 'link.json');
  symlinkSync('real.json', link);
  await watchOnce(['--state', link], account);
  await account.put({ name: 'Renamed' });
  await watchOnce(['--state', link], account);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['link.json', 'real.json', 'state.json']);
});

type Spoil = (account: Account, state: string) => unknown;

test.each<[string, Spoil, RegExp]>([
  [
    'of another account',
    (account) => (account.intercept = () => Response.json([sampleListedMemory({ user_id: 'user_2' })])),
    /^Failed to resume the watch: its state belongs to another account or base URL\./,
  ],
  [
    'with memories if the list is empty',
    (account) => account.remove('mem_1'),
    /^Failed to resume the watch: the list is empty, but the state has 1 memory; /,
  ],
  ...['', '{"version":9}', '[]'].map((content): [string, Spoil, RegExp] => [
    `in a file with “${content}”`,
    (_account, state) => writeFileSync(state, content),
    /^Failed to [^\n]+\n$/,
  ]),
])('rejects a state %s, and does not change it', async (_case, spoil, message) => {
  const { account, state } = await watched();
  await spoil(account, state);
  const before = readFileSync(state, 'utf8');
  const { stdout, stderr, code } = await runCli(['watch', '--state', state], { env: account.env });
  expect(stderr).toMatch(message);
  expect([stdout, code, readFileSync(state, 'utf8')]).toEqual(['', 2, before]);
});

test('reports memories as missing that are deleted while a watch runs, or before it with --allow-empty', async () => {
  const { account, state } = await watched();
  const missing = [{ type: 'missing', memoryId: 'mem_1' }];
  await account.remove('mem_1');
  expect(await watchOnce(['--state', state, '--allow-empty'], account)).toEqual(missing);
  await account.put({});
  await watchOnce(['--state', state], account);
  account.requests.length = 0;
  const changes = watchOnce(['--state', state], account);
  await expect.poll(() => account.requests.length, { interval: 5 }).toBeGreaterThan(1);
  await account.remove('mem_1');
  expect(await changes).toEqual(missing);
  await account.put({ id: 'mem_2' });
  expect(await watchOnce(['--state', state], account)).toMatchObject([{ type: 'added' }, { type: 'processed' }]);
});

test('sends no request if the state cannot be stored or belongs to another base URL, even without memories', async () => {
  const { account, state, folder } = await watched();
  const empty = join(folder, 'empty.json');
  const first = await serveAccount();
  const watch = startCli(['watch', '--interval', '20ms', '--state', empty], { env: first.env });
  await expect.poll(() => first.requests.length, { interval: 5 }).toBeGreaterThan(2);
  watch.interrupt('SIGINT');
  await watch.result;
  const other = await serveAccount();
  const below = join(folder, 'none', 'state.json');
  const ofOther =
    'Failed to resume the watch: the state belongs to another server. Pass the old --base-url, or another --state.\n';
  for (const [path, code, stderr] of [
    [state, 2, ofOther],
    [empty, 2, ofOther],
    [below, 1, `Failed to write the state ${JSON.stringify(below)}: its folder does not exist. Check --state.\n`],
  ] as const) {
    expect(await runCli(['watch', '--state', path], { env: other.env })).toEqual({ stdout: '', stderr, code });
  }
  expect(other.requests).toEqual([]);
  await account.put({ name: 'Renamed' });
  const withSlash = { ...account, env: { ...account.env, MEMORY_API_URL: `${account.url}/` } };
  expect(await watchOnce(['--state', state], withSlash)).toMatchObject([{ type: 'changed' }]);
});

test('reports an invalid memory once and continues, and reports the error that ends the watch once', async () => {
  const broken = { ...sampleListedMemory({ id: 'mem_2' }), name: null };
  const account = await serveAccount();
  account.intercept = () =>
    Response.json(account.requests.length < 3 ? [broken, sampleListedMemory({ id: 'mem_1' })] : [broken]);
  const { stdout, stderr, code } = await runCli(['watch', '--existing', '--interval', '20ms'], { env: account.env });
  expect(jsonLines(stdout).map(({ type }) => type)).toEqual(['added', 'processed']);
  const failed = 'Failed to list memories: .* memory "mem_2" .*';
  expect(stderr).toMatch(new RegExp(`^${failed} The watch continues\\.\\n${failed} check the base URL\\.\\n$`));
  expect([account.requests.length, code]).toEqual([3, 1]);
});

/** Starts an account with one memory, and stores the state of a watch that has reported it. */
async function watched() {
  const folder = temporaryDirectory();
  const account = await serveAccount({});
  const state = join(folder, 'state.json');
  await watchOnce(['--state', state], account);
  return { account, folder, state };
}

/** Returns the output of a watch for its first poll with changes. Ctrl+C ends the watch. */
async function watchOnce(args: string[], { env, requests }: Account) {
  const watch = startCli(['watch', '--interval', '20ms', ...args], { env });
  await once(watch.process.stdout, 'text');
  // The state is stored by the next poll at the latest.
  const polls = requests.length;
  await expect.poll(() => requests.length, { interval: 5 }).toBeGreaterThan(polls + 1);
  watch.interrupt('SIGINT');
  const { code, stdout } = await watch.result;
  expect(code).toBe(130);
  return jsonLines(stdout);
}

test.each<[args: string[], first: string[]]>([
  [[], ['mem_2']],
  [['--skip-existing'], ['mem_2']],
  [['--existing'], ['mem_1']],
  [['--state', 'new.json'], ['mem_1']],
  [['--state', 'new.json', '--existing'], ['mem_1']],
  [['--state', 'new.json', '--skip-existing'], ['mem_2']],
])('`watch %j` starts with %j', async (args, first) => {
  const account = await serveAccount({});
  const watch = startCli(['watch', '--interval', '20ms', ...args], { env: account.env, cwd: temporaryDirectory() });
  await expect.poll(() => account.requests.length, { interval: 5 }).toBeGreaterThan(1);
  await account.put({ id: 'mem_2' });
  await expect.poll(() => watch.process.stdout.text, { interval: 5 }).toContain('mem_2');
  watch.interrupt('SIGINT');
  const ids = jsonLines((await watch.result).stdout).map(({ memory }) => (memory as { id: string }).id);
  expect(ids.slice(0, 1)).toEqual(first);
});

test('on a terminal, a watch says what it waits for', async () => {
  const { env } = await serveAccount({});
  const watch = startCli(['watch'], { env, terminal: { stdout: {}, stderr: {} } });
  await once(watch.process.stderr, 'text');
  watch.interrupt('SIGINT');
  const stderr = 'Watching for new memories and changes. Press Ctrl+C to stop.\nInterrupted by SIGINT.\n';
  expect(await watch.result).toEqual({ code: 130, stdout: '', stderr });
});

test('on a terminal, a change is one line, whose name is cut and whose id is whole', async () => {
  const id = 'mem_01M81EP771GTGD18CCBDP1FMP0';
  const { env } = await serveAccount({ id, name: 'Morning sync of the platform team '.repeat(3) });
  const watch = startCli(['watch', '--existing'], { env, terminal: { stdout: { columns: 80 } } });
  await once(watch.process.stdout, 'text');
  watch.interrupt('SIGINT');
  const lines = (await watch.result).stdout.trimEnd().split('\n');
  expect(lines.map((line) => [line.length, line.slice('00:00:00  '.length)])).toEqual(
    ['added    ', 'processed'].map((type) => [80, `${type}  ${id}  Morning sync of the platfo…`]),
  );
});
