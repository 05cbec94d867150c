import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFaultServer } from '@memory-read/integration-tests/client/faults/fault-server/spawn-fault-server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { traces } from './archive-traces.ts';
import { jsonLines, runCommand, runInTerminal, runShell, startCommand, wordsOfCode } from './run-command.ts';
import { listed, startAccount } from './start-account.ts';
import { recordWithAudio, startMediaAccount } from './start-media-account.ts';

const faults = useFaultServer();

const envOf = (fault: string) => ({ MEMORY_API_URL: faults().addressOf(fault), MEMORY_API_KEY: 'mrk_hush' });

test.each([
  'nothing listens at the address',
  'the connection is reset after the request',
  'a 200 is a sign-in page',
  'a list is an object',
  'a Link names a next page',
  'the certificate is valid',
])('ends a list and a mirror with 1 and one line, and changes no folder: %s', async (fault) => {
  const folder = makeFolder();
  const account = await startMediaAccount(1_000);
  await account.put(recordWithAudio(1));
  expect(await runCommand(['mirror', folder], { env: account.env })).toMatchObject({ code: 0 });
  const before = traces(folder).slice(1);
  for (const args of [['list'], ['mirror', folder, '--refresh', '--adopt']]) {
    const { stdout, stderr, code } = await runCommand(args, { env: envOf(fault) });
    expect(stderr).toMatch(/^Failed to [^\n]+?: [^\n]+\n$/);
    expect(stderr).not.toMatch(wordsOfCode);
    expect(stderr).not.toContain('hush');
    expect([code, stdout]).toEqual([1, '']);
  }
  expect(traces(folder).slice(1)).toEqual(before);
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
  expect(outcomes.find(({ memoryId }) => memoryId === 'mem_3').error).toEqual({
    code: 'not_found',
    message: expect.stringMatching(/^Failed to /),
  });
  // On a busy machine, the timeout can end the last poll. The message then ends with this failure.
  expect(stderr).toMatch(
    /^Failed to wait for 2 of 3 memories: "mem_3" does not exist, "mem_2" is still processing\. Check the ids, or pass a longer --timeout\.( The last failure: .*)?\n$/,
  );
  expect(code).toBe(4);
  expect(await runCommand(['wait', 'mem_2', '--timeout', '100ms'], { env })).toMatchObject({ code: 5 });
  expect(await runCommand(['wait', 'mem_1'], { env })).toMatchObject({ code: 0, stderr: '' });
  const stderrOfUnknown = 'Failed to get memory "mem_3": there is no memory with this id. See memory-read list.\n';
  expect(await runCommand(['get', 'mem_3'], { env })).toEqual({ code: 4, stdout: '', stderr: stderrOfUnknown });
  expect(await runCommand(['wait', 'mem_3'], { env })).toMatchObject({ code: 4, stderr: stderrOfUnknown });
});

test('Ctrl+C ends a command that waits for a server without a response', async () => {
  const account = await startAccount([]);
  const asked = new Promise<void>((resolve) => {
    account.onRequest = resolve;
  });
  account.isSilent = true;
  const command = runInTerminal(['list'], { env: account.env });
  await asked;
  command.type('\x03');
  expect(await command.ended).toBe(130);
});

test.each([
  ['list', 'SIGINT', 130],
  ['list', 'SIGTERM', 143],
  ['watch', 'SIGINT', 130],
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
  ['a key', 'w', ['list', '--api-key', 'file:PIPE']],
  ['memories to import', 'w', ['import', 'PIPE', '--account', 'user_1', '--db', 'FOLDER/memories.sqlite']],
  ['an export', 'r', ['export', 'mem_1', '--format', 'json', '--output', 'PIPE']],
  ['a digest', 'r', ['digest', '--since', '2026', '--output', 'PIPE']],
] as const)('Ctrl+C and SIGTERM end a command while the pipe of %s is stuck', async (_name, flag, args) => {
  const { env } = await startAccount([listed({ summary: longSummary })]);
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const { folder, pipe } = makePipe();
    const command = startCommand(
      args.map((text) => text.replace('PIPE', pipe).replace('FOLDER', folder)),
      { env },
    );
    const ended = once(command, 'exit');
    // Resolves when the command has opened the pipe too. It is neither written to nor read from.
    const other = await open(pipe, flag);
    command.kill(signal);
    expect(await ended).toEqual([code, null]);
    await other.close();
  }
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

test('ends all waits with 3 if the key is refused', async () => {
  const account = await startAccount([listed({ id: 'mem_2', is_processing: true }), listed()]);
  account.refused = ['mem_1'];
  for (const memoryIds of [['mem_1'], ['mem_2', 'mem_1']]) {
    const { stdout, stderr, code } = await runCommand(['wait', ...memoryIds], { env: account.env });
    expect(stderr).toMatch(/^Failed to get memory "mem_1": [^\n]+\n$/);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      memoryId: 'mem_1',
      status: 'failed',
      error: { code: 'authentication' },
    });
  }
});

test('explains in the terms of the command why a wait could read nothing', async () => {
  const env = envOf('a 200 is a sign-in page');
  const { stdout, stderr, code } = await runCommand(['wait', 'mem_1', '--timeout', '500ms'], { env });
  const reason = /: no poll succeeded within 500 ms\. The last failure: Failed to .+: /;
  expect(stderr).toMatch(reason);
  expect(JSON.parse(stdout).error.message).toMatch(reason);
  const several = await runCommand(['wait', 'mem_1', 'mem_2', '--timeout', '500ms'], { env });
  expect(several.stderr).toMatch(
    /"mem_1" could not be read, "mem_2" could not be read\..* The last failure: Failed to /,
  );
  expect(stdout + stderr + several.stdout + several.stderr).not.toMatch(wordsOfCode);
  expect([code, several.code]).toEqual([5, 5]);
});

test('replaces half a character in a name, so that every reader accepts the JSON Lines', async () => {
  const { env } = await startAccount([listed({ name: 'a\ud83db \\ud83d 😀' })]);
  const { stdout } = await runCommand(['list'], { env });
  expect(stdout).not.toMatch(/[^\\]\\ud83d/);
  expect(JSON.parse(stdout).name).toBe('a\ufffdb \\ud83d 😀');
});

test('loads only four files of the command for `--version`', async () => {
  const { stderr, code } = await runCommand(['--version'], { nodeArguments: [`--import=${tellLoaded}`] });
  expect(stderr.split('\n').filter((url) => url.startsWith('file:')).length).toBeLessThanOrEqual(4);
  expect(code).toBe(0);
});

const tellLoaded = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { process._rawDebug(url); return next(url, context); } });",
)}`;

/** Packages and files that a command loads only for its own work. */
const ownWork =
  /^node:sqlite|\/(client|contract|server|conformance|fixtures|mirror|mcp|pg|prom-client|string-width)\/|\/(run-)?(login|search|mirror|mcp|tools)-/;

test.each([
  [['--version'], /commander|client|server|string-width/],
  [['--help'], ownWork],
  ...['list', 'get', 'wait', 'watch', 'verify'].map((name) => [[name, '--help'], ownWork] as const),
  [['list'], ownWork],
] as const)('`%j` loads no code of other commands', async (args, others) => {
  const { stderr, code } = await runCommand(args, { nodeArguments: [`--import=${tellLoaded}`] });
  expect(code).toBe(args[0] === 'list' && args.length === 1 ? 2 : 0);
  const loaded = stderr.split('\n').filter((url) => /^(file|node):/.test(url));
  expect(loaded).not.toEqual([]);
  expect(loaded.filter((url) => others.test(url.replace(/.*\/packages\//, '/')))).toEqual([]);
});
