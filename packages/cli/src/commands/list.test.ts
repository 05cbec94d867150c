import { expect, test } from 'vitest';
import { displayWidth } from '../terminal/fit-text.ts';
import { jsonLines } from '../testing/json-lines.ts';
import { expectFailure, runCli, startDemo } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';
import { spawnCli } from '../testing/spawn-cli.ts';

test('prints a line of JSON for each memory, newest first', async () => {
  const { env, memories } = await startDemo();
  const { code, stdout, stderr } = await runCli(['list'], { env });
  expect([code, stderr]).toEqual([0, '']);
  const listed = jsonLines(stdout);
  expect(listed.map(({ id }) => id)).toEqual(memories.map(({ id }) => id));
  expect(listed).toHaveLength(24);
  expect(Object.keys(listed[0] ?? {})).toContain('transcript');
});

test.each([['list'], ['whoami'], ['digest']])('%s sends one request', async (command) => {
  const account = await serveAccount({ id: 'mem_1' }, { id: 'mem_2' });
  expect(await runCli([command], { env: account.env })).toMatchObject({ code: 0, stderr: '' });
  expect(account.requests).toEqual(['/v1/memories']);
});

test('ends with 3 if the server rejects the key', async () => {
  const { baseUrl } = await startDemo();
  const env = { MEMORY_API_URL: baseUrl, MEMORY_API_KEY: 'mrk_hush' };
  await expectFailure(
    runCli(['list'], { env }),
    3,
    `Failed to list memories: ${baseUrl} refuses the key. Run memory-read login, or check --api-key or MEMORY_API_KEY.\n`,
  );
});

test('lists the memories of a range of local days, and refuses an invalid time before any request', async () => {
  const { env, memories } = await startDemo();
  const starts = memories.map(({ started_at }) => Date.parse(started_at));
  const day = localDay(starts[5] ?? 0);
  // The time zone is that of a process.
  const { code, stdout } = await spawnCli(
    ['list', '--since', day, '--until', day, '--time-zone', 'Pacific/Kiritimati', '--json'],
    { env },
  ).result;
  const found = jsonLines(stdout).map(({ started_at }) => Date.parse(String(started_at)));
  expect(code).toBe(0);
  expect(found).toEqual(starts.filter((start) => localDay(start) === day));
  expect(found.length).toBeGreaterThan(0);
  const early = runCli(['list', '--since', 'soon'], { env: { MEMORY_API_URL: 'http://127.0.0.1:1' } });
  await expectFailure(early, 2, /^Failed to read --since: "soon" is not a time\. Pass one such as /);
});

function localDay(instant: number): string {
  // This zone is 14 hours ahead of UTC all year.
  return new Date(instant + 14 * 3_600_000).toISOString().slice(0, 10);
}

test('prints the chosen fields, status and number in each format, also in a pipe', async () => {
  const { env, processingMemoryId } = await startDemo();
  const list = async (...args: string[]) => (await runCli(['list', ...args], { env })).stdout;
  const processing = (await list('--fields', 'status,id', '--status', 'processing')).trimEnd().split('\n');
  expect(processing).toContain(`{"status":"processing","id":"${processingMemoryId}"}`);
  expect(processing.length).toBeLessThan(24);
  expect(processing.filter((line) => !/^\{"status":"processing","id":"\w+"\}$/.test(line))).toEqual([]);
  expect(JSON.parse(await list('--format', 'json', '--limit', '3'))).toHaveLength(3);
  expect(await list('--format', 'json', '--until', '1999')).toBe('[]\n');
  const table = await list('--format', 'table', '--limit', '2');
  expect(table.split('\n')).toHaveLength(4);
  expect(table).toMatch(/^ID +STARTED +LENGTH +NAME\nmem_\w+ +\d{4}-\d\d-\d\d \d\d:\d\d {2}/);
  expect(await list('--format', 'md', '--limit', '1')).toMatch(
    /^\| ID \| STARTED \| LENGTH \| NAME \|\n\| --- .*\n\| mem.*\n$/,
  );
  expect(await list('--format', 'ndjson', '--limit', '1', '--fields', 'id')).toMatch(/^\{"id":"mem_\w+"\}\n$/);
});

// Arabic has other digits and separators, and Turkish other letter cases.
test.each(['ar_EG.UTF-8', 'tr_TR.UTF-8'])('the locale %s changes nothing', async (locale) => {
  const account = await serveAccount({ id: 'mem_1', started_at: '2026-03-01T16:00:00Z' }, { id: 'MEM_I' });
  for (const args of [
    ['list', '--format', 'table'],
    ['list', '--fields', 'started_at,duration_seconds,id', '--format', 'markdown'],
    ['digest', '--since', '2026-03-01', '--until', '2026-03'],
  ]) {
    const expected = await runCli(args, { env: account.env });
    expect(expected).toMatchObject({ code: 0, stderr: '' });
    expect(await spawnCli(args, { env: { ...account.env, LANG: locale, LC_ALL: locale } }).result).toEqual(expected);
  }
});

test('limits a table in a pipe to COLUMNS', async () => {
  const { env } = await startDemo();
  const { stdout } = await runCli(['list', '--format', 'table'], { env: { ...env, COLUMNS: '40' } });
  const widths = stdout.trimEnd().split('\n').map(displayWidth);
  expect(widths).toHaveLength(25);
  expect(Math.max(...widths)).toBe(40);
});
