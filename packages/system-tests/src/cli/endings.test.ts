import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { printModules } from '@memory-read/test-kit/first-process';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { runCommand, runShell, startCommand } from './run-command.ts';
import { listed, startAccount } from './start-account.ts';
import { recordWithAudio } from './start-media-account.ts';

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

test.each([
  ['list', 'SIGINT', 130],
  ['watch --existing', 'SIGTERM', 143],
] as const)('ends %s at once on %s if its output is not read', async (line, signal, code) => {
  const { env } = await startAccount(Array.from({ length: 5_000 }, (_item, index) => listed({ id: `mem_${index}` })));
  const command = startCommand(line.split(' '), { env });
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

function makePipe(): { folder: string; pipe: string } {
  const folder = makeFolder();
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return { folder, pipe };
}

/** Packages and files that a command loads only for its own work. Every command may print long output in turns, and hides control characters. The tables of fields are small. */
const ownWork =
  /^node:sqlite|\/(client|contract(?!\/dist\/(base-url|chunk-|event-loop|fields|program|redaction))|server|conformance|fixtures|mirror|mcp|pg|prom-client|string-width)\/|\/(run-)?(login|search|mirror|mcp|tools)-/;

test.each([
  [['--version'], 0, 5, /commander|client|server|string-width/],
  [['list', '--help'], 0, 100, ownWork],
  [['verify', '--help'], 0, 100, ownWork],
  [['store-check', '--help'], 0, 100, ownWork],
  [['events', 'list', '--help'], 0, 100, ownWork],
  [['list'], 2, 100, ownWork],
] as const)('`%j` loads no code of other commands', async (args, exitCode, most, others) => {
  const { stderr, code } = await runCommand(args, { nodeArguments: [printModules] });
  expect(code).toBe(exitCode);
  const loaded = stderr.split('\n').filter((url) => /^(file|node):/.test(url));
  expect(loaded).not.toEqual([]);
  expect(loaded.filter((url) => url.startsWith('file:')).length).toBeLessThanOrEqual(most);
  expect(loaded.filter((url) => others.test(url.replace(/.*\/packages\//, '/')))).toEqual([]);
});
