import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { transcript } from '../testing/create-account.ts';
import { type RunOptions, runCli, startCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';

test.each([
  [['export', 'mem_01', '--format', 'markdown'], 0, '---\n'],
  [['download', 'mem_01', 'audio'], 4, ''],
  [['wait', 'mem_01'], 0, 'processed  mem_01M8  Morning\n'],
  [['wait', 'mem_01', 'mem_02'], 0, 'processed  mem_01M8  Morning\n'],
])('completes the beginning of an id only on a terminal: %j', async (args, code, output) => {
  const { env } = await serveAccount({ id: 'mem_02' }, { id: 'mem_01M8', transcript });
  const shown = await runOnTerminal(args, { env });
  expect(shown).toMatchObject({ code, stdout: expect.stringContaining(output) });
  expect(shown.stderr).toContain('Using mem_01M8.\n');
  expect(shown.stderr).not.toContain('Waiting for 0');
  expect(await runCli(args, { env })).toMatchObject({ code: 4, stderr: expect.stringContaining('"mem_01"') });
});

test('prints the history, the hits and the purge of a mirror as text', async () => {
  const account = await serveAccount({ name: 'Weekly planning' });
  const cwd = temporaryDirectory();
  await runCli(['mirror'], { env: account.env, cwd });
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runOnTerminal(args, { cwd });
    expect(code).toBe(0);
    return stdout + stderr;
  };
  expect(await run('history', 'mem_1')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}1 {2}added\n$/);
  expect(await run('search', 'submarine', '--until', '2021')).toBe(
    'No memory has all these words: "submarine" is in 0 memories. The range of times leaves out 1 memory.\n',
  );
  expect(await run('search', 'planning weekly')).toContain('Leave out the quotes to find words that do not follow');
  const pages = join(cwd, 'memories', 'pages');
  const [page = ''] = readdirSync(pages);
  writeFileSync(join(pages, page), 'mine');
  expect(await run('purge', 'mem_1')).toContain('which you edited');
  expect(readdirSync(pages)).toEqual([page]);
});

function runOnTerminal(args: readonly string[], options: RunOptions) {
  const { process, result } = startCli(args, options);
  process.stdout.isTTY = true;
  process.stderr.isTTY = true;
  return result;
}
