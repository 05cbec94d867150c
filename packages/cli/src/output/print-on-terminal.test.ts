import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { displayWidth } from '../terminal/fit-text.ts';
import { type RunOptions, runCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount, transcript } from '../testing/serve-account.ts';

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
    'No memory has all these words: "submarine" is in 0 memories of the range. The range of times leaves out 1 memory.\n',
  );
  expect(await run('search', 'planning weekly')).toContain('Leave out the quotes to find words that do not follow');
  const pages = join(cwd, 'memories', 'pages');
  const [page = ''] = readdirSync(pages);
  writeFileSync(join(pages, page), 'mine');
  expect(await run('purge', 'mem_1')).toContain('which you edited');
  expect(readdirSync(pages)).toEqual([page]);
});

test('on 40 columns, no command breaks a line within a word', async () => {
  const said = 'We talk about the submarine and 会議の移行です。'.repeat(4);
  const [segment] = transcript.segments;
  const account = await serveAccount({
    name: said,
    summary: { quick_summary: said, key_takeaways: [said] },
    transcript: { segments: [{ ...segment, text: said }] } as typeof transcript,
  });
  const cwd = temporaryDirectory();
  const commands = [
    ...[
      'mirror',
      'get mem_1',
      'get mem_1 --format markdown',
      'list',
      'wait mem_1',
      'history mem_1',
      'search submarine',
    ],
    ...['search submarine --format markdown', 'search zeppelin airship balloon', 'digest --last 100000d'],
    ...['export mem_1 --format text', 'export mem_1 --format markdown', 'download mem_1 audio', 'open --print=x'],
    ...['open --mirror nowhere', 'mirorr', 'list --since then', 'purge mem_unknown', 'purge mem_1'],
  ];
  for (const command of commands) {
    const { stdout, stderr } = await runOnTerminal(command.split(' '), { cwd, env: account.env }, 40);
    const lines = `${stdout}${stderr}`
      .split('\n')
      .filter((line) => !line.startsWith('Open it:') && !line.includes('\r'));
    expect(lines.length, command).toBeGreaterThan(1);
    for (const line of lines)
      expect(displayWidth(line) <= 40 || !/\S\s+\S/.test(line), `${command}: ${line}`).toBe(true);
  }
});

function runOnTerminal(args: readonly string[], options: RunOptions, columns?: number) {
  const size = { rows: 999, ...(columns && { columns }) };
  return runCli(args, { ...options, terminal: { stdout: size, stderr: size } });
}
