import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '@memory-read/test-kit/is-running';
import { expect, test, vi } from 'vitest';
import { expectFailure, runCli, startCli, temporaryDirectory } from '../testing/run-cli.ts';

/** A command of Node with this script. */
const node = (script: string) => ['--', process.execPath, '-e', script];
const listClient = node(`
  const { MEMORY_API_URL, MEMORY_API_KEY } = process.env;
  fetch(MEMORY_API_URL + '/v1/memories', { headers: { 'x-api-key': MEMORY_API_KEY } })
    .then((response) => (response.ok ? response.json() : Promise.reject(response.status)))
    .then((memories) => console.log(JSON.stringify({ ok: true, memories })))
    .catch((error) => {
      console.log(JSON.stringify({ ok: false, error: String(error) }));
      process.exitCode = 1;
    })`);

test('ends with 0 for a client that passes, and prints the JSON report in one line', async () => {
  const { code, stdout, stderr } = await runCli(['judge', '--only', 'list,401', '--only', 'list-empty', ...listClient]);
  const { results, ...report } = JSON.parse(stdout);
  expect(report).toMatchObject({ rules: 'safe', passed: true });
  expect(results.map(({ scenario, status }: Record<string, string>) => `${scenario} ${status}`)).toEqual([
    'list passed',
    'list-empty passed',
    '401 passed',
  ]);
  expect([code, stderr]).toEqual([0, '']);
});

test('ends with 1 for a client that fails, and prints the report in the requested format', async () => {
  const args = ['judge', '--only', 'list', '--report', 'pretty', ...node('console.log("{}")')];
  const { code, stdout, stderr } = await runCli(args);
  expect(stdout).toContain('FAILED   list  a list of three memories\n');
  expect(stdout).toContain('observed  the command printed no result (exit code 0)\n');
  expect(stderr).toMatch(/^Failed to judge ".*: it fails 1 of 1 scenario\. See the report\.\n$/);
  expect(code).toBe(1);
});

test('counts the judged scenarios on standard error of a terminal, and only there', async () => {
  const args = ['judge', '--only', 'list,empty-body', ...node('console.log(`{"ok":true}`)')];
  const { stderr } = await runCli(args, { terminal: { stderr: {} } });
  const [before = '', ...shown] = stderr.split('\r\x1b[K');
  expect(before).toBe('');
  expect(shown.slice(0, -1)).toEqual([
    'Judging …',
    'Judging … 1 of 2 scenarios, 1 failed',
    'Judging … 2 of 2 scenarios, 2 failed',
  ]);
  expect(shown.at(-1)).toMatch(/^Failed to judge /);
  expect((await runCli(args)).stderr).toMatch(/^Failed to judge /);
});

test('ends with 1 if the client skips every scenario', async () => {
  const { code, stderr } = await runCli(['judge', '--only', 'ids', ...node('console.log(`{"skip":"no ids"}`)')]);
  expect(stderr).toContain(': no scenario passed. See the report.\n');
  expect(code).toBe(1);
});

test('a known failure of a file does not fail the run, and one that passes does', async () => {
  const file = join(temporaryDirectory(), 'known');
  writeFileSync(file, '# not yet\n\nempty-body # parses it\r\nlist\n');
  const args = ['judge', '--known-failures', file, '--report', 'junit'];
  const wrong = node('console.log(`{"ok":true}`)');
  const known = await runCli([...args, '--only', 'list,empty-body,401', ...wrong]);
  expect(known.stdout).toContain('tests="3" failures="1" skipped="2"');
  const fixed = await runCli([...args, '--only', 'list', ...listClient]);
  expect(fixed.stdout).toContain('remove it from the list');
  expect([known.code, fixed.code]).toEqual([1, 1]);
});

test('--list prints a line of JSON for each scenario', async () => {
  const { code, stdout } = await runCli(['judge', '--list']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(62);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    id: 'list',
    section: 'requests',
    title: 'a list of three memories',
    operation: 'list',
    profile: 'safe',
  });
  expect(code).toBe(0);
});

test.each([
  [['judge'], 'there is no command. Pass, after --, a program and its arguments.\n'],
  [
    ['judge', '--only', 'lists', ...listClient],
    ': --only contains "lists", which does not exist. Pass an id or a section from memory-read judge --list.\n',
  ],
  [['judge', '--only', '500-once', ...listClient], 'Pass other ids, or --rules reference.\n'],
  [
    ['judge', '--known-failures', '/no/such/file', ...listClient],
    'Failed to read --known-failures: the file cannot be read (ENOENT).',
  ],
  [['judge', '--timeout', '20', ...listClient], 'Failed to read --timeout: "20" is not a duration'],
  [['judge', '--concurrency', '0', ...listClient], 'Failed to read --concurrency: "0" is not a whole number'],
])('rejects %j as incorrect usage', async (args, message) => {
  await expectFailure(runCli(args), 2, new RegExp(message.replace(/[().?]/g, '\\$&')));
});

test('rejects a file with an id that does not exist as incorrect usage', async () => {
  const file = join(temporaryDirectory(), 'known');
  writeFileSync(file, 'media\n');
  const reason = '--known-failures contains "media", which does not exist. Pass an id from memory-read judge --list.';
  await expectFailure(
    runCli(['judge', '--known-failures', file, ...listClient]),
    2,
    `Failed to judge a client: ${reason}\n`,
  );
});

test('SIGINT ends the command and its children with 130', async () => {
  const file = join(temporaryDirectory(), 'pid');
  const { interrupt, result } = startCli([
    'judge',
    '--only',
    'list',
    '--',
    'sh',
    '-c',
    `sleep 60 & echo $! > '${file}'; wait`,
  ]);
  const pid = await vi.waitFor(() => Number(readFileSync(file, 'utf8')) || Promise.reject(new Error('not started')));
  interrupt('SIGINT');
  expect(await result).toEqual({ code: 130, stdout: '', stderr: 'Interrupted by SIGINT.\n' });
  await expect.poll(() => isRunning(pid)).toBe(false);
});
