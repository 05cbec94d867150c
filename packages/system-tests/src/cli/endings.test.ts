import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFaultServer } from '@memory-read/integration-tests/client/faults/fault-server/spawn-fault-server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { jsonLines, runCommand, runShell, startCommand, wordsOfCode } from './run-command.ts';
import { listed, startAccount } from './start-account.ts';
import { recordWithAudio, startMediaAccount } from './start-media-account.ts';
import { traces } from './traces.ts';

const faults = useFaultServer();

const envOf = (fault: string) => ({ MEMORY_API_URL: faults().addressOf(fault), MEMORY_API_KEY: 'mrk_hush' });

test('ends a list and a mirror with one line if the server fails, and changes no folder', async () => {
  const folder = makeFolder();
  const account = await startMediaAccount(1_000);
  await account.put(recordWithAudio(1));
  expect(await runCommand(['mirror', folder], { env: account.env })).toMatchObject({ code: 0 });
  const before = traces(folder);
  for (const [env, exitCode] of [
    [{ ...account.env, MEMORY_API_KEY: 'mrk_hush' }, 3],
    [envOf('nothing listens at the address'), 1],
    [envOf('the connection is reset after the request'), 1],
    [envOf('a 200 is a sign-in page'), 1],
    [envOf('the certificate is valid'), 1],
  ] as const) {
    for (const args of [['list'], ['mirror', folder, '--refresh', '--adopt']]) {
      const { stdout, stderr, code } = await runCommand(args, { env });
      expect(stderr).toMatch(/^Failed to [^\n]+?: [^\n]+\n$/);
      expect(stderr).not.toMatch(wordsOfCode);
      expect(stderr).not.toContain('hush');
      expect([code, stdout]).toEqual([exitCode, '']);
    }
  }
  expect(traces(folder)).toEqual(before);
});

test('ends without a message when the reader stops', async () => {
  const { env } = await startAccount(Array.from({ length: 2_000 }, (_item, index) => listed({ id: `mem_${index}` })));
  const line = 'set -o pipefail; "$@" | head -1 | cut -c1-12';
  expect(await runShell(line, ['list'], { env })).toEqual({ stdout: '{"id":"mem_0\n', stderr: '', code: 0 });
});

test('ends a watch at its next change when the reader stops', async () => {
  const account = await startAccount([listed()]);
  account.onRequest = () => {
    account.memories = [listed({ id: `mem_${account.memories.length + 1}` }), ...account.memories];
  };
  const line = 'set -o pipefail; "$@" | head -1 | cut -c1-15';
  const run = await runShell(line, ['watch', '--interval', '50ms'], { env: account.env });
  expect(run).toEqual({ stdout: '{"type":"added"\n', stderr: '', code: 0 });
});

test('reports an invalid memory once and continues a watch, and reports the error that ends it once', async () => {
  const broken = listed({ id: 'mem_2', name: null as never });
  const account = await startAccount([broken, listed()]);
  let polls = 0;
  account.onRequest = () => {
    polls += 1;
    if (polls === 3) account.memories = [broken];
  };
  const { stdout, stderr, code } = await runCommand(['watch', '--interval', '20ms'], { env: account.env });
  expect(jsonLines(stdout).map(({ type }) => type)).toEqual(['added', 'processed']);
  expect(stderr.match(/[^\n]+\n/g)).toEqual([
    expect.stringMatching(/^Failed to list memories: .* memory "mem_2" .* The watch continues\.\n$/),
    expect.stringMatching(/^Failed to list memories: .* memory "mem_2" .* check MEMORY_API_URL\.\n$/),
  ]);
  expect([polls, code]).toEqual([3, 1]);
});

test('prints each memory as soon as its wait ends, and exits with the code of the most severe failure', async () => {
  const { env } = await startAccount([listed({ id: 'mem_2', is_processing: true }), listed()]);
  const args = ['wait', 'mem_2', 'mem_3', 'mem_1', '--timeout', '1s'];
  const { stdout, stderr, code } = await runCommand(args, { env });
  const outcomes = jsonLines(stdout);
  expect(outcomes.map(({ memoryId, status }) => `${memoryId} ${status}`).sort()).toEqual([
    'mem_1 processed',
    'mem_2 timed_out',
    'mem_3 not_found',
  ]);
  const error = { code: 'not_found', message: expect.stringMatching(/^Failed to /) };
  expect(outcomes).toContainEqual(expect.objectContaining({ memoryId: 'mem_3', error }));
  // On a busy machine, the timeout can end the last poll. The message then ends with this failure.
  expect(stderr).toMatch(
    /^Failed to wait for 2 of 3 memories: "mem_3" does not exist, "mem_2" is still processing\. Check the ids, or pass a longer --timeout\.( The last failure: .*)?\n$/,
  );
  expect(code).toBe(4);
  expect(await runCommand(['wait', 'mem_2', '--timeout', '100ms'], { env })).toMatchObject({ code: 5 });
  expect(await runCommand(['wait', 'mem_1'], { env })).toMatchObject({ code: 0, stderr: '' });
  const ofUnknown = 'Failed to get memory "mem_3": there is no memory with this id. See memory-read list.\n';
  expect(await runCommand(['get', 'mem_3'], { env })).toEqual({ code: 4, stdout: '', stderr: ofUnknown });
  expect(await runCommand(['wait', 'mem_3'], { env })).toMatchObject({ code: 4, stderr: ofUnknown });
});

test('ends all waits with 3 if the key is refused', async () => {
  const account = await startAccount([listed({ id: 'mem_2', is_processing: true }), listed()]);
  account.refused = ['mem_1'];
  const { stdout, stderr, code } = await runCommand(['wait', 'mem_2', 'mem_1'], { env: account.env });
  expect(stderr).toMatch(/^Failed to get memory "mem_1": [^\n]+\n$/);
  expect(code).toBe(3);
  const error = expect.objectContaining({ code: 'authentication' });
  expect(JSON.parse(stdout)).toMatchObject({ memoryId: 'mem_1', status: 'failed', error });
});

test('explains in the terms of the command why a wait could read nothing', async () => {
  const env = envOf('a 200 is a sign-in page');
  for (const [memoryIds, reason] of [
    [['mem_1'], /: no poll succeeded within 500 ms\. The last failure: Failed to .+: /],
    [['mem_1', 'mem_2'], /"mem_1" could not be read, "mem_2" could not be read\..* The last failure: Failed to /],
  ] as const) {
    const { stdout, stderr, code } = await runCommand(['wait', ...memoryIds, '--timeout', '500ms'], { env });
    expect(stderr).toMatch(reason);
    expect(jsonLines(stdout)[0].error.message).toMatch(/: no poll succeeded within 500 ms\. /);
    expect(stdout + stderr).not.toMatch(wordsOfCode);
    expect(code).toBe(5);
  }
});

test.each([
  ['list', 'SIGINT', 130],
  ['watch', 'SIGTERM', 143],
] as const)('ends %s at once on %s if its output is not read', async (name, signal, code) => {
  const { env } = await startAccount(Array.from({ length: 5_000 }, (_item, index) => listed({ id: `mem_${index}` })));
  const command = startCommand([name], { env });
  await once(command.stdout, 'readable');
  const ended = once(command, 'exit');
  command.kill(signal);
  expect(await ended).toEqual([code, null]);
});

const longSummary = { quick_summary: 'Plans. '.repeat(100_000), key_takeaways: [] };

test.each([
  ['a key', 'SIGINT', 130, 'w', ['list', '--api-key', 'file:PIPE']],
  ['memories to import', 'SIGTERM', 143, 'w', ['import', 'PIPE', '--account', 'user_1', '--db', 'DB']],
  ['an export', 'SIGINT', 130, 'r', ['export', 'mem_1', '--format', 'json', '--output', 'PIPE']],
  ['a digest', 'SIGTERM', 143, 'r', ['digest', '--since', '2026', '--output', 'PIPE']],
] as const)('ends a command while the pipe of %s is stuck on %s with %i', async (_name, signal, code, flag, args) => {
  const { env } = await startAccount([listed({ summary: longSummary })]);
  const { folder, pipe } = makePipe();
  const [db, ...words] = [join(folder, 'memories.sqlite'), ...args];
  const command = startCommand(
    words.map((word) => word.replace('PIPE', pipe).replace('DB', db)),
    { env },
  );
  const ended = once(command, 'exit');
  // Resolves when the command has opened the pipe too. It is neither written to nor read from.
  const other = await open(pipe, flag);
  command.kill(signal);
  expect(await ended).toEqual([code, null]);
  await other.close();
});

test('reads a key and memories from process substitutions, and writes a document to one', async () => {
  const account = await startAccount([listed({ summary: longSummary })]);
  account.accepted = ['mrk_piped'];
  const { env } = account;
  const list = await runShell('"$@" --api-key file:<(echo mrk_piped)', ['list', '--json'], { env });
  expect([list.code, list.stderr]).toEqual([0, '']);
  const line = JSON.stringify({ ...recordWithAudio(1), media: {} });
  const db = join(makeFolder(), 'memories.sqlite');
  const imported = await runShell(`"$@" <(echo '${line}')`, ['import', '--account', 'user_1', '--db', db], { env });
  expect(JSON.parse(imported.stdout)).toMatchObject({ event: 'imported', memories: 1 });
  account.accepted = undefined;
  const digest = await runShell('"$@" --output >(wc -c) | cat', ['digest', '--since', '2026'], { env });
  expect(Number(digest.stdout)).toBeGreaterThan(700_000);
});

test.each([
  ['list --api-key file:/dev/zero', 2, /^Failed to read --api-key: /],
  ['list --api-key file:ZEROS', 2, /^Failed to read --api-key: the value is not a key\./],
  ['watch --state /dev/zero', 2, /^Failed to read --state: the file is not the state of a watch\. /],
  ['export --all FOLDER --format text', 1, /memory-read\.json": it was not written by memory-read\. /],
] as const)('`%s` ends at once', async (args, code, message) => {
  const { env } = await startAccount([listed()]);
  const { folder } = makePipe('memory-read.json');
  const zeros = join(folder, 'zeros');
  await writeFile(zeros, '\0'.repeat(16_000));
  const run = await runCommand(args.replace('FOLDER', folder).replace('ZEROS', zeros).split(' '), { env });
  expect(run.stderr).toMatch(message);
  expect(run.code).toBe(code);
});

function makePipe(name = 'pipe'): { folder: string; pipe: string } {
  const folder = makeFolder();
  const pipe = join(folder, name);
  execFileSync('mkfifo', [pipe]);
  return { folder, pipe };
}

const tellLoaded = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { process._rawDebug(url); return next(url, context); } });",
)}`;

/** Packages and files that a command loads only for its own work. */
const ownWork =
  /^node:sqlite|\/(client|contract|server|conformance|fixtures|mirror|mcp|pg|prom-client|string-width)\/|\/(run-)?(login|search|mirror|mcp|tools)-/;

test.each([
  [['--version'], 0, 4, /commander|client|server|string-width/],
  [['list', '--help'], 0, 100, ownWork],
  [['verify', '--help'], 0, 100, ownWork],
  [['list'], 2, 100, ownWork],
] as const)('`%j` loads no code of other commands', async (args, exitCode, most, others) => {
  const { stderr, code } = await runCommand(args, { nodeArguments: [`--import=${tellLoaded}`] });
  expect(code).toBe(exitCode);
  const loaded = stderr.split('\n').filter((url) => /^(file|node):/.test(url));
  expect(loaded).not.toEqual([]);
  expect(loaded.filter((url) => url.startsWith('file:')).length).toBeLessThanOrEqual(most);
  expect(loaded.filter((url) => others.test(url.replace(/.*\/packages\//, '/')))).toEqual([]);
});
