import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { runCommand, runInTerminal } from './run-command.ts';
import { listed, startAccount } from './start-account.ts';

const ctrlC = '\x03';

test('lists memories in a table that fits the terminal', async () => {
  const { env } = await startAccount([
    listed({ id: 'mem_3', name: '週次の計画会議、来月の予定と予算について', is_processing: true }),
    listed({ id: 'mem_2', name: 'تخطيط الأسبوع' }),
    listed({ id: 'mem_1', duration_seconds: 3_723 }),
  ]);
  const command = runInTerminal(['list'], { env: { ...env, NO_COLOR: '1' }, columns: 52 });
  expect(await command.ended).toBe(0);
  expect(command.shown()).toMatchInlineSnapshot(`
    "ID     STARTED           NAME
    mem_3  2026-03-01 08:00  週次の計画会議、来月の予定…
    mem_2  2026-03-01 08:00  تخطيط الأسبوع
    mem_1  2026-03-01 08:00  Weekly planning
    "
  `);
});

test('shows one memory with its summary and transcript', async () => {
  const segment = { speaker: 'Speaker 1', start_at: '2026-03-01T08:00:05Z', end_at: '2026-03-01T08:00:09Z' };
  const transcript = { segments: [{ ...segment, text: 'Good morning, let us plan the week.' }] };
  const { env } = await startAccount([listed({ transcript, audio_url: 'https://media.test/a' } as object)]);
  const command = runInTerminal(['get', 'mem_1'], { env: { ...env, NO_COLOR: '1' }, columns: 30 });
  expect(await command.ended).toBe(0);
  expect(command.shown()).toMatchInlineSnapshot(`
    "Weekly planning
    ID       mem_1
    Started  2026-03-01 08:00
    Length   10:00
    Media    audio

    Summary
    Plans for the week.
    - Ship it.

    Transcript
    0:05  Speaker 1
      Good morning, let us plan
      the week.
    "
  `);
});

test('shows that a response takes long, and removes the line when the response arrives', async () => {
  const account = await startAccount([listed()]);
  const command = runInTerminal(['list'], { env: { ...account.env, NO_COLOR: '1' } });
  account.onRequest = () => command.until('1 s');
  expect(await command.ended).toBe(0);
  const waiting = `Waiting for an answer from ${account.env.MEMORY_API_URL} … 1 s`;
  expect(command.shown()).toContain(`\r\x1b[K${waiting}\r\x1b[KID     STARTED`);
});

test('uses the width that the terminal has when the command prints', async () => {
  const { env } = await startAccount([listed({ name: 'A name of more than forty columns, as people give them' })]);
  const command = runInTerminal(['list'], { env: { ...env, NO_COLOR: '1' }, columns: 120 });
  command.resize(48);
  expect(await command.ended).toBe(0);
  expect(command.shown()).toContain('mem_1  2026-03-01 08:00  A name of more than fo…\n');
});

test('is coloured on a terminal, and never with NO_COLOR', async () => {
  const { env } = await startAccount([listed()]);
  const coloured = runInTerminal(['list'], { env });
  await coloured.ended;
  expect(stripVTControlCharacters(coloured.shown())).not.toBe(coloured.shown());
  for (const more of [{ NO_COLOR: '1' }, { NO_COLOR: '1', FORCE_COLOR: '1' }]) {
    const plain = runInTerminal(['list'], { env: { ...env, ...more } });
    await plain.ended;
    expect(stripVTControlCharacters(plain.shown())).toBe(plain.shown());
  }
});

const hostile = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\r\u007f';

test.each([
  [['list']],
  [['list', '--json']],
  [['get', 'mem_1']],
  [['get', 'mem_1', '--json']],
  [['wait', 'mem_1', '--quiet']],
  [['watch'], 'processed'],
  [['watch', '--json'], '"processed"'],
])('escapes names that would move the cursor of `%j`', async (args, awaited?: string) => {
  const summary = { quick_summary: hostile, key_takeaways: [hostile] };
  const { env } = await startAccount([listed({ name: hostile, summary })]);
  const command = runInTerminal(args, { env: { ...env, NO_COLOR: '1' } });
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
  const command = runInTerminal(['watch'], { env: { ...env, NO_COLOR: '1' } });
  await command.until('processed');
  command.type(ctrlC);
  expect(await command.ended).toBe(130);
  expect(command.shown()).toMatch(
    /^\d\d:\d\d:\d\d {2}added {6}mem_1 {2}Weekly planning\n\S+ {2}processed {2}mem_1 {2}Weekly planning\n(?:\^C)?Interrupted by SIGINT\.\n$/,
  );
});

test('shows what a wait is waiting for, and removes it on Ctrl+C', async () => {
  const { env } = await startAccount([listed({ is_processing: true })]);
  const command = runInTerminal(['wait', 'mem_1'], { env: { ...env, NO_COLOR: '1' } });
  await command.until('Waiting for 1 memory …');
  command.type(ctrlC);
  expect(await command.ended).toBe(130);
  expect(command.shown()).toContain('\r\u001b[KInterrupted by SIGINT.\n');
});

test.each([
  [['list'], [], ''],
  [['wait', 'mem_1'], [listed()], 'processed  mem_1  Weekly planning\n'],
])('prints neither notes nor progress with --quiet: `%j`', async (args, memories, expected) => {
  const { env } = await startAccount(memories);
  const run = async (...more: string[]) => {
    const command = runInTerminal([...args, ...more], { env: { ...env, NO_COLOR: '1' } });
    expect(await command.ended).toBe(0);
    return command.shown();
  };
  expect(await run()).toMatch(/There are no memories\.|Waiting for 1 memory/);
  expect(await run('--quiet')).toBe(expected);
});

test('prints commands at the end of `serve --demo` that work', async () => {
  const serve = runInTerminal(['serve', '--in-memory', '--port', '0'], { env: { NO_COLOR: '1' }, columns: 200 });
  await serve.until('Press Ctrl+C to stop.');
  const [, address = '', key = '', id = ''] =
    /export MEMORY_API_URL=(\S+) MEMORY_API_KEY=(\S+)\n {2}memory-read list\n {2}memory-read wait (\S+)\n/.exec(
      serve.shown(),
    ) ?? [];
  const list = runInTerminal(['list'], { env: { MEMORY_API_URL: address, MEMORY_API_KEY: key }, columns: 200 });
  expect(await list.ended).toBe(0);
  expect(list.shown()).toContain(`${id}  `);
  serve.type(ctrlC);
  expect(await serve.ended).toBe(130);
});

test('shows text that is taller than the terminal in the pager, and prints it without one', async () => {
  const memories = Array.from({ length: 60 }, (_, index) => listed({ id: `mem_${index + 10}` }));
  const { env } = await startAccount(memories);
  const show = async (pager: Record<string, string>, ...args: string[]) => {
    const command = runInTerminal(['list', ...args], { env: { ...env, NO_COLOR: '1', ...pager } });
    expect(await command.ended).toBe(0);
    return command.shown().trimEnd().split('\n');
  };
  const paged = await show({ MEMORY_READ_PAGER: 'echo "$LESS $LV $LESSCHARSET"; sed s/^/page:/' });
  expect(paged[0]).toBe('FRX -c utf-8');
  expect(paged.slice(1)).toHaveLength(61);
  expect(paged.slice(1).filter((line) => !line.startsWith('page:'))).toEqual([]);
  // The pager ends before it has read anything.
  expect(await show({ PAGER: 'true', MEMORY_READ_PAGER: 'exit 3' })).toEqual(['']);
  for (const pager of [
    { MEMORY_READ_PAGER: 'cat' },
    { MEMORY_READ_PAGER: '' },
    { PAGER: 'sed s/^/page:/', TERM: 'dumb' },
  ]) {
    expect((await show(pager)).at(-1)).toMatch(/^mem_69 /);
  }
  expect((await show({ PAGER: 'sed s/^/page:/' }, '--no-pager')).at(-1)).toMatch(/^mem_69 /);
  expect((await show({ PAGER: 'sed s/^/page:/' }, '--limit', '38')).at(-1)).toMatch(/^mem_47 /);
  const missing = await show({ PAGER: '/nowhere/pager' });
  expect(missing.slice(-61).at(0)).toMatch(/^ID /);
  expect(missing.at(-1)).toMatch(/^mem_69 /);
});

test('leaves Ctrl+C to the pager', async () => {
  const { env } = await startAccount(Array.from({ length: 60 }, (_, index) => listed({ id: `mem_${index + 10}` })));
  const pager =
    "trap 'echo stopped by hand; exit 0' INT; echo ready; while :; do read -r line || read -r line < /dev/tty; done";
  const command = runInTerminal(['list'], { env: { ...env, NO_COLOR: '1', PAGER: pager } });
  await command.until('ready');
  command.type(ctrlC);
  expect(await command.ended).toBe(0);
  expect(command.shown()).toContain('stopped by hand');
});

test('SIGTERM ends the pager, then the command with 143', async () => {
  const { env } = await startAccount(Array.from({ length: 60 }, (_, index) => listed({ id: `mem_${index + 10}` })));
  const pager =
    "trap 'echo pager ended; exit 0' TERM; kill $PPID; while :; do read -r line || read -r line < /dev/tty; done";
  const command = runInTerminal(['list'], { env: { ...env, NO_COLOR: '1', PAGER: pager } });
  expect(await command.ended).toBe(143);
  expect(command.shown()).toBe('pager ended\nInterrupted by SIGTERM.\n');
});

test('completes the beginning of an id, and prints the id', async () => {
  const { env } = await startAccount([listed({ id: 'mem_02' }), listed({ id: 'mem_01M8' })]);
  const command = runInTerminal(['get', 'mem_01'], { env: { ...env, NO_COLOR: '1' } });
  expect(await command.ended).toBe(0);
  expect(command.shown()).toMatch(/^Using mem_01M8\.\nWeekly planning\nID {7}mem_01M8\n/);
  const { code, stdout, stderr } = await runCommand(['get', 'mem_01'], { env });
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toBe('Failed to get memory "mem_01": there is no memory with this id. Pass the whole id, mem_01M8.\n');
});

test.each([
  [['export', 'mem_01', '--format', 'markdown'], 0, '---\n'],
  [['download', 'mem_01', 'audio'], 4, 'Failed to download the audio of memory "mem_01M8"'],
  [['wait', 'mem_01'], 0, 'processed  mem_01M8  Weekly planning\n'],
  [['wait', 'mem_01', 'mem_02'], 0, 'processed  mem_01M8  Weekly planning\n'],
  [['wait', 'mem_0'], 4, 'Failed to get memory "mem_0": 2 ids begin with it, mem_02, mem_01M8. Pass more of the id.\n'],
])('completes the beginning of an id: %j', async (args, code, output) => {
  const { env } = await startAccount([listed({ id: 'mem_02' }), listed({ id: 'mem_01M8' })]);
  const command = runInTerminal(args, { env: { ...env, NO_COLOR: '1' } });
  expect([await command.ended, command.shown()]).toEqual([code, expect.stringContaining(output)]);
  if (!args.includes('mem_0')) expect(command.shown()).toContain('Using mem_01M8.\n');
  expect(command.shown()).not.toContain('Waiting for 0');
});

test.each([[['export', 'mem_01', '--format', 'markdown']], [['download', 'mem_01', 'audio']], [['wait', 'mem_01']]])(
  'does not complete an id if the note would not be visible: %j',
  async (args) => {
    const { env } = await startAccount([listed({ id: 'mem_02' }), listed({ id: 'mem_01M8' })]);
    const { code, stderr } = await runCommand(args, { env });
    expect([code, stderr]).toEqual([
      4,
      'Failed to get memory "mem_01": there is no memory with this id. Pass the whole id, mem_01M8.\n',
    ]);
  },
);

test('the help of every command fits 80 columns, and names no reason and no library', async () => {
  const commandsOf = async (words: readonly string[]): Promise<string[][]> => {
    const { stdout } = await runCommand([...words, '--help']);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).not.toMatch(/because|commander|undici|zod|\bky\b/i);
    const names = [...stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = '']) => [...words, name]);
    return stdout.includes('[command]') ? names.filter((each) => each.at(-1) !== 'help') : [];
  };
  const commands = await commandsOf([]);
  expect(commands.length).toBeGreaterThan(15);
  const nested = await Promise.all(commands.map(commandsOf));
  expect(nested.flat()).toEqual([
    ['keys', 'create'],
    ['keys', 'list'],
    ['keys', 'revoke'],
  ]);
  await Promise.all(nested.flat().map(commandsOf));
});

test.each([
  [30, 30],
  [60, 60],
  [200, 80],
])('in a terminal of %i columns, no line of the help is wider than %i', async (columns, width) => {
  for (const args of [['help'], ['help', 'list'], ['help', 'export']]) {
    const command = runInTerminal(args, { columns });
    expect(await command.ended).toBe(0);
    const lines = command.shown().split('\n');
    const unbroken = /^\s*\S+$/;
    expect(lines.filter((line) => line.length > width && !unbroken.test(line))).toEqual([]);
  }
  const help = runInTerminal(['help', 'list'], { columns });
  await help.ended;
  expect(help.shown().replace(/\\\n\s+/g, '')).toContain('  memory-read list --since monday --until yesterday\n');
});
