import { expect, test } from 'vitest';
import { runInTerminal } from './run-command.ts';
import { listed, startAccount } from './start-account.ts';

const ctrlC = '\x03';
const plain = { NO_COLOR: '1' };

test('uses the width that the terminal has when the command prints', async () => {
  const { env } = await startAccount([listed({ name: '週次の計画会議、来月の予定と予算について' })]);
  const command = runInTerminal(['list'], { env: { ...env, ...plain }, columns: 120 });
  command.resize(52);
  expect(await command.ended).toBe(0);
  expect(command.shown()).toContain('mem_1  2026-03-01 08:00  週次の計画会議、来月の予定…\n');
});

const hostile = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\r\u007f';

test.each([
  [['list']],
  [['get', 'mem_1']],
  [['wait', 'mem_1', '--quiet']],
  [['watch', '--existing'], 'processed'],
  [['watch', '--existing', '--json'], '"processed"'],
])('escapes names that would move the cursor of `%j`', async (args, awaited?: string) => {
  const summary = { quick_summary: hostile, key_takeaways: [hostile] };
  const { env } = await startAccount([listed({ name: hostile, summary })]);
  const command = runInTerminal(args, { env: { ...env, ...plain } });
  if (awaited) {
    await command.until(awaited);
    command.type(ctrlC);
  }
  await command.ended;
  expect(command.shown()).toContain('\\u001b[2J');
  expect(command.shown().replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});

test('ends a watch at once on Ctrl+C, and keeps its output', async () => {
  const { env } = await startAccount([listed()]);
  const command = runInTerminal(['watch', '--existing'], { env: { ...env, ...plain } });
  await command.until('processed');
  command.type(ctrlC);
  expect(await command.ended).toBe(130);
  expect(command.shown()).toMatch(
    /^Watching for [^\n]+\n\d\d:\d\d:\d\d {2}added {6}mem_1 {2}Weekly planning\n\S+ {2}processed {2}mem_1 {2}Weekly planning\n(?:\^C)?Interrupted by SIGINT\.\n$/,
  );
});

test('shows what a wait is waiting for, but not with --quiet, and removes it on Ctrl+C', async () => {
  const { env } = await startAccount([listed({ is_processing: true }), listed({ id: 'mem_2' })]);
  const command = runInTerminal(['wait', 'mem_1'], { env: { ...env, ...plain } });
  await command.until('Waiting for 1 memory …');
  command.type(ctrlC);
  expect(await command.ended).toBe(130);
  expect(command.shown()).toContain('\r\u001b[KInterrupted by SIGINT.\n');
  const quiet = runInTerminal(['wait', 'mem_2', '--quiet'], { env: { ...env, ...plain } });
  expect([await quiet.ended, quiet.shown()]).toEqual([0, 'processed  mem_2  Weekly planning\n']);
});

const tall = Array.from({ length: 60 }, (_, index) => listed({ id: `mem_${index + 10}` }));

test('shows text that is taller than the terminal in the pager, and prints it without one', async () => {
  const { env } = await startAccount(tall);
  const show = async (pager: Record<string, string>, ...args: string[]) => {
    const command = runInTerminal(['list', ...args], { env: { ...env, ...plain, ...pager } });
    expect(await command.ended).toBe(0);
    return command.shown().trimEnd().split('\n');
  };
  const paged = await show({ MEMORY_READ_PAGER: 'echo "$LESS $LV $LESSCHARSET"; sed s/^/page:/' });
  expect(paged[0]).toBe('FRX -c utf-8');
  expect(paged.slice(1)).toHaveLength(61);
  expect(paged.slice(1).filter((line) => !line.startsWith('page:'))).toEqual([]);
  // The pager ends before it has read anything.
  expect(await show({ PAGER: 'true', MEMORY_READ_PAGER: 'exit 3' })).toEqual(['']);
  expect((await show({ MEMORY_READ_PAGER: '' })).at(-1)).toMatch(/^mem_69 /);
  expect((await show({ PAGER: 'sed s/^/page:/' }, '--no-pager')).at(-1)).toMatch(/^mem_69 /);
  expect((await show({ PAGER: 'sed s/^/page:/' }, '--limit', '38')).at(-1)).toMatch(/^mem_47 /);
  const missing = await show({ PAGER: '/nowhere/pager' });
  expect(missing.slice(-61).at(0)).toMatch(/^ID /);
  expect(missing.at(-1)).toMatch(/^mem_69 /);
});

const untilEnd = 'while :; do read -r line || read -r line < /dev/tty; done';

test('leaves Ctrl+C to the pager', async () => {
  const { env } = await startAccount(tall);
  const PAGER = `trap 'echo stopped by hand; exit 0' INT; echo ready; ${untilEnd}`;
  const command = runInTerminal(['list'], { env: { ...env, ...plain, PAGER } });
  await command.until('ready');
  command.type(ctrlC);
  expect(await command.ended).toBe(0);
  expect(command.shown()).toContain('stopped by hand');
});

test('SIGTERM ends the pager, then the command with 143', async () => {
  const { env } = await startAccount(tall);
  const PAGER = `trap 'echo pager ended; exit 0' TERM; kill $PPID; ${untilEnd}`;
  const command = runInTerminal(['list'], { env: { ...env, ...plain, PAGER } });
  expect(await command.ended).toBe(143);
  expect(command.shown()).toBe('pager ended\nInterrupted by SIGTERM.\n');
});

test('in a narrow terminal, no line of the help is wider, and its examples can be copied', async () => {
  const command = runInTerminal(['help', 'list'], { columns: 30 });
  expect(await command.ended).toBe(0);
  const lines = command.shown().split('\n');
  expect(lines.filter((line) => line.length > 30 && /\S\s+\S/.test(line))).toEqual([]);
  expect(command.shown().replace(/\\\n\s+/g, '')).toContain('  memory-read list --since monday --until yesterday\n');
});
