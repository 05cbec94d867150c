import fs, { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMirror } from '@memory-read/mirror';
import { expect, test } from 'vitest';
import { displayWidth } from '../terminal/fit-text.ts';
import { jsonLines } from '../testing/json-lines.ts';
import { expectFailure, runCli, startCli, temporaryDirectory, withFunction } from '../testing/run-cli.ts';
import { serveAccount, summary } from '../testing/serve-account.ts';

/** Two people, who speak at seconds of a day of March. */
function transcriptOn(day: number, speakers = ['Speaker 1', 'Speaker 2']) {
  const [first = '', second = first] = speakers;
  const said = (speaker: string, second: number, text: string) => {
    const at = (seconds: number) => new Date(Date.UTC(2026, 2, day, 8, 0, seconds)).toISOString();
    return { speaker, start_at: at(second), end_at: at(second + 4), text };
  };
  return {
    segments: [
      said(first, 5, 'We talk about the submarine.'),
      said(second, 10, 'I promise to bring the pump.'),
      said(first, 15, 'Then we leave on Monday.'),
    ],
  };
}

const transcript = transcriptOn(1);

async function mirrored(...options: string[]) {
  const account = await serveAccount(
    { transcript, summary },
    { id: 'mem_2', name: 'Evening', started_at: '2026-03-02T08:00:00Z', transcript: transcriptOn(2) },
  );
  const cwd = temporaryDirectory();
  const run = (args: readonly string[], more: Parameters<typeof runCli>[1] = {}) =>
    runCli(args, { cwd, env: account.env, ...more });
  expect(await run(['mirror', ...options])).toMatchObject({ code: 0 });
  return {
    account,
    cwd,
    folder: join(cwd, 'memories'),
    run,
    /** Runs a command that succeeds, and returns its lines of JSON. */
    lines: async (...args: string[]) => {
      const { code, stdout, stderr } = await run(args);
      expect([code, stderr]).toEqual([0, '']);
      return jsonLines(stdout);
    },
    /** Runs a command on a terminal, and returns what it shows. */
    show: async (args: readonly string[], columns = 80) => {
      const size = { rows: 999, columns };
      const { stdout, stderr } = await run(args, { terminal: { stdout: size, stderr: size } });
      return { stdout, stderr };
    },
    page: (name: string) =>
      readFileSync(
        join(
          cwd,
          'memories',
          'pages',
          readdirSync(join(cwd, 'memories', 'pages')).find((each) => each.includes(name)) ?? '',
        ),
        'utf8',
      ),
  };
}

const ofFirst = { segments: 2, duration_seconds: 8 };
const excerpts = [
  { offset_seconds: 5, text: 'We talk about the submarine.' },
  { offset_seconds: 15, text: 'Then we leave on Monday.' },
];

test('shows who speaks with excerpts, names a speaker, marks you, and removes the name', async () => {
  const { lines } = await mirrored();
  const [first, second] = await lines('name', 'mem_1');
  expect(first).toEqual({ memoryId: 'mem_1', speaker: 'Speaker 1', person: null, ...ofFirst, excerpts });
  expect(second).toMatchObject({ speaker: 'Speaker 2', segments: 1, duration_seconds: 4 });
  const named = { event: 'named', memoryId: 'mem_1', speaker: 'Speaker 1', person: 'Ada Lovelace' };
  expect(await lines('name', 'mem_1', 'Speaker 1', 'Ada Lovelace', '--me')).toEqual([named]);
  expect(await lines('name', 'mem_2', 'Speaker 2', '--me')).toEqual([
    { ...named, memoryId: 'mem_2', speaker: 'Speaker 2' },
  ]);
  expect((await lines('name', 'mem_1'))[0]).toEqual({ ...first, person: 'Ada Lovelace', me: true });
  expect(await lines('people', 'list')).toEqual([{ name: 'Ada Lovelace', me: true, memories: 2, doubtful: 0 }]);
  const unnamed = { event: 'unnamed', memoryId: 'mem_1', speaker: 'Speaker 1', removed: true };
  expect(await lines('name', 'mem_1', 'Speaker 1', '--remove')).toEqual([unnamed]);
  expect(await lines('name', 'mem_1', 'Speaker 1', '--remove')).toEqual([{ ...unnamed, removed: false }]);
  expect((await lines('name', 'mem_1'))[0]).toEqual(first);
});

test('renames, merges, undoes and forgets people', async () => {
  const { run, lines } = await mirrored();
  await lines('name', 'mem_1', 'Speaker 1', 'Ada');
  await lines('name', 'mem_1', 'Speaker 2', 'Bob');
  await lines('name', 'mem_2', 'Speaker 2', 'Rob');
  expect(await lines('people', 'rename', 'ada', 'Ada Lovelace')).toEqual([
    { event: 'renamed', person: 'Ada Lovelace' },
  ]);
  const taken =
    'Failed to rename the person: there is a person "Bob" already. To make them one person, run memory-read people merge "Rob" "Bob".\n';
  await expectFailure(run(['people', 'rename', 'Rob', 'bob']), 1, taken);
  expect(await lines('people', 'merge', 'Rob', 'Bob')).toEqual([{ event: 'merged', person: 'Bob' }]);
  const people = async () => (await lines('people', 'list')).map(({ name, memories }) => [name, memories]);
  expect(await people()).toEqual([
    ['Ada Lovelace', 1],
    ['Bob', 2],
  ]);
  expect(await lines('people', 'undo')).toEqual([{ event: 'undone', undone: true }]);
  expect(await people()).toEqual([
    ['Ada Lovelace', 1],
    ['Bob', 1],
    ['Rob', 1],
  ]);
  expect(await lines('people', 'forget', 'bob')).toEqual([{ event: 'forgotten', leftFiles: [] }]);
  expect(await people()).toEqual([
    ['Ada Lovelace', 1],
    ['Rob', 1],
  ]);
  expect(await lines('people', 'undo')).toEqual([{ event: 'undone', undone: false }]);
});

test('a person is found, and stands in texts in place of the label', async () => {
  const { folder, run, lines } = await mirrored();
  await lines('name', 'mem_1', 'Speaker 2', 'Ada Lovelace');
  const hit = { field: 'transcript', speaker: 'Speaker 2', person: 'Ada Lovelace', offset_seconds: 10 };
  for (const args of [
    ['promise', '--speaker', 'ada lovelace'],
    ['--speaker', 'Lovelace'],
    ['promise', 'speaker:ada'],
    ['speaker:ada promise'],
    ['promise speaker:Lovelace'],
    ['speaker:ada lovelace'],
    ['speaker:Ada promise', 'pump'],
  ]) {
    expect(await lines('search', ...args)).toMatchObject([{ memoryId: 'mem_1', matches: [hit] }]);
  }
  const { stderr: hint } = await run(['search', 'what', 'ada', 'promise']);
  expect(hint).toContain(`"Ada Lovelace" is a person: pass --speaker 'Ada Lovelace' in place of the word.`);
  const key = 'mrk_secret';
  for (const args of [[key], ['--speaker', key]]) expect((await run(['search', ...args])).stderr).not.toContain(key);
  expect((await run(['search', 'promise', '--format', 'text'])).stdout).toMatch(
    /0:10 Speaker 2: I promise.*0:10 Ada Lovelace: I promise/s,
  );
  const [json] = await lines('get', 'mem_1', '--mirror', folder);
  expect(json).toMatchObject({ transcript, speaker_names: { 'Speaker 2': 'Ada Lovelace' } });
  expect((await lines('get', 'mem_2', '--mirror', folder))[0]).not.toHaveProperty('speaker_names');
  for (const args of [
    'get mem_1 --format text',
    'get mem_1 --format md',
    'export mem_1 --format srt',
    'export mem_1 --format text',
  ]) {
    const { stdout } = await run([...args.split(' '), '--mirror', folder]);
    expect(stdout, args).toMatch(/Ada Lovelace/);
    expect(stdout, args).not.toContain('Speaker 2');
  }
  const exported = JSON.parse((await run(['export', 'mem_1', '--format', 'json', '--mirror', folder])).stdout);
  expect(exported).toMatchObject({ transcript, speaker_names: { 'Speaker 2': 'Ada Lovelace' } });
});

test('a digest of a mirror names the people in the order of speech, and has the bytes of the server without them', async () => {
  const { folder, run, lines } = await mirrored();
  const digest = async (...args: string[]) => (await run(['digest', '--since', '2026', ...args])).stdout;
  for (const format of ['markdown', 'text', 'json']) {
    expect(await digest('--mirror', folder, '--format', format)).toBe(await digest('--format', format));
  }
  await lines('name', 'mem_1', 'Speaker 2', 'Ada');
  await lines('name', 'mem_1', 'Speaker 1', '*Bob*');
  expect(await digest('--mirror', folder)).toContain(' Morning (10:00)\n\nWith \\*Bob\\*, Ada.\n\nA start.');
  const { memories } = JSON.parse(await digest('--mirror', folder, '--json'));
  expect(memories.map(({ people }: { people?: string[] }) => people)).toEqual([['*Bob*', 'Ada'], undefined]);
});

test('a mirror run prints the names that became doubtful, and naming again settles them', async () => {
  const { account, run, lines, show } = await mirrored();
  await lines('name', 'mem_1', 'Speaker 2', 'Ada');
  await account.put({ transcript: transcriptOn(1, ['Speaker 1']), summary, name: 'Processed again' });
  const { code, stdout, stderr } = await run(['mirror']);
  const note =
    'mem_1: "Ada" was Speaker 2, but the speakers of this transcript have changed. Run memory-read name mem_1.\n';
  expect([code, stderr]).toEqual([0, note]);
  const events = jsonLines(stdout);
  expect(events).toContainEqual({ event: 'doubtful', memoryId: 'mem_1', speaker: 'Speaker 2', person: 'Ada' });
  expect(events.at(-1)).toMatchObject({ event: 'mirrored', complete: true, doubtfulNames: 1 });
  const doubt = { memoryId: 'mem_1', name: 'Processed again', started_at: '2026-03-01T08:00:00.000Z' };
  expect(await lines('people', 'list', '--doubtful')).toEqual([
    { ...doubt, person: 'Ada', speaker: 'Speaker 2', likely: 'Speaker 1' },
  ]);
  expect(await lines('people', 'list')).toEqual([{ name: 'Ada', me: false, memories: 0, doubtful: 1 }]);
  expect(await lines('name', 'mem_1')).toMatchObject([{ person: null, doubtful: ['Ada'] }]);
  expect((await show(['name', 'mem_1'])).stderr).toBe("Name a speaker: memory-read name mem_1 'Speaker 1' Ada\n");
  expect((await run(['search', 'promise', '--speaker', 'ada'])).stderr).toBe(
    'No memory has all these words: "promise" is in 2 memories, speaker:"ada" in 0. "Ada" is doubtful in 1 memory: see memory-read people list --doubtful.\n',
  );
  expect((await run(['search', 'promise', '--speaker', 'Eve'])).stderr).not.toContain('Ada');
  expect((await run(['search', 'promise ada'])).stderr).not.toContain('--speaker');
  const settled = await run(['name', 'mem_1', 'Speaker 1', 'Ada']);
  expect(settled).toMatchObject({ code: 0, stderr: '' });
  expect(await run(['people', 'list', '--doubtful'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No name is doubtful.\n',
  });
});

test('a change writes the pages in their time zone, if there are pages', async () => {
  const { account, folder, run, lines, page } = await mirrored();
  const mirror = await openMirror({ folder });
  await mirror.writePages({ timeZone: 'Asia/Tokyo' });
  await mirror.close();
  expect(page('Morning')).toContain('Speaker 2');
  const other = statSync(join(folder, 'pages', readdirSync(join(folder, 'pages'))[1] ?? '')).mtimeMs;
  await lines('name', 'mem_1', 'Speaker 2', 'Ada');
  expect(page('Morning')).toMatch(/Ada/);
  expect(page('Morning')).toContain('date: "2026-03-01T17:00:00+09:00"');
  expect(statSync(join(folder, 'pages', readdirSync(join(folder, 'pages'))[1] ?? '')).mtimeMs).toBe(other);
  for (const change of ['rename Ada Bob', 'undo']) await lines('people', ...change.split(' '));
  expect(page('Morning')).toMatch(/Ada/);
  const bare = join(temporaryDirectory(), 'bare');
  await run(['mirror', bare, '--no-pages'], account);
  await lines('name', 'mem_1', 'Speaker 2', 'Ada', '--mirror', bare);
  expect(existsSync(join(bare, 'index.html'))).toBe(false);
});

test('while another run uses the mirror, a name is stored, and the next run writes the pages', async () => {
  const { folder, run, page } = await mirrored();
  const lock = new DatabaseSync(join(folder, 'mirror.lock'));
  lock.exec('BEGIN EXCLUSIVE');
  const { code, stdout, stderr } = await run(['name', 'mem_1', 'Speaker 2', 'Ada']);
  const later =
    'The pages are not written yet: another memory-read is using the mirror. The next memory-read mirror writes them.\n';
  expect([code, stderr]).toEqual([0, later]);
  expect(jsonLines(stdout)).toMatchObject([{ event: 'named', person: 'Ada' }]);
  lock.close();
  expect(page('Morning')).not.toContain('Ada');
  await run(['mirror']);
  expect(page('Morning')).toContain('Ada');
});

const failures = [
  ['name mem_9', 4, 'list the speakers of "mem_9": the mirror has no memory with this id, or it was purged.'],
  [
    'name mem_1 Speaker_9 Ada',
    4,
    'name the speaker: the memory has no speaker "Speaker 9". Its speakers are "Speaker 1", "Speaker 2".',
  ],
  ['name mem_1 Speaker_9 --remove', 4, 'remove the name: the memory has no speaker "Speaker 9".'],
  ['name mem_1 speaker_1 Ada', 4, 'name the speaker: the memory has no speaker "speaker 1".'],
  ['name mem_1 Speaker_1', 2, 'read the name: it is missing. Pass a name after the speaker, or --me, or --remove.'],
  ['name mem_1 --me', 2, 'read --me: it needs a speaker. Pass the label after the memory, such as "Speaker 1".'],
  ['name mem_1 Speaker_1 Ada --remove', 2, 'read --remove: it cannot be combined with a name.'],
  ['name mem_1 Speaker_1 --me --remove', 2, 'read --remove: it cannot be combined with --me.'],
  ['name mem_1 Speaker_1 --me', 2, 'name the speaker: nobody is marked as you yet. Pass your name with --me once.'],
  ['name mem_1 Speaker_1 Speaker_2', 2, 'name the speaker: '],
  ['people rename Eve Ada', 4, 'rename the person: there is no person "Eve".'],
  ['people merge Eve Ada', 4, 'merge the people: there is no person "Eve".'],
  [
    'people forget Eve',
    4,
    'forget the person: there is no person "Eve". List the people with memory-read people list.',
  ],
  ['search', 2, 'read the words: there are none. Pass words, or --speaker with a name.'],
  [
    'people import none.jsonl',
    1,
    'import the names: "none.jsonl" cannot be read (ENOENT). Pass a file of people export.',
  ],
  ['people import .', 1, 'import the names: "." cannot be read (EISDIR). Pass a file of people export.'],
] as const;

test('a command that cannot do its work changes nothing, and says why', async () => {
  const { run, lines } = await mirrored();
  await lines('name', 'mem_2', 'Speaker 2', 'Ada');
  for (const [line, code, problem] of failures) {
    const args = line.split(' ').map((word) => word.replace('_', ' ').replace('mem ', 'mem_'));
    const stderr = expect.stringContaining(`Failed to ${problem}`);
    expect(await run(args), line).toEqual({ code, stdout: '', stderr });
  }
  expect(await lines('people', 'list')).toEqual([{ name: 'Ada', me: false, memories: 1, doubtful: 0 }]);
});

test('on a terminal, the case of a label can differ, and texts fit it', async () => {
  const { account, run, show, lines } = await mirrored();
  await account.put({ id: 'mem_3', transcript: transcriptOn(1, ['A', 'a']) });
  await run(['mirror']);
  expect(await show(['name', 'mem_3', 'Á', 'Ada'])).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('"Á"'),
  });
  await account.put({ id: 'mem_4', transcript: transcriptOn(1, ['--remove']) });
  await run(['mirror']);
  const { stderr: hint } = await show(['name', 'mem_4']);
  expect(hint).toBe('Name a speaker: memory-read name mem_4 -- --remove NAME\n');
  expect(await lines('name', 'mem_4', '--', '--remove', 'Ada')).toMatchObject([{ speaker: '--remove', person: 'Ada' }]);
  expect((await show(['name', 'mem_4', '--', '--remove', 'Bob'])).stdout).toBe(
    '--remove of mem_4 is Bob. It was Ada.\n',
  );
  expect(await show(['name', 'mem_1', 'SPEAKER 1', `${'Ada '.repeat(24)}\u202e`])).toMatchObject({
    stderr: 'Using "Speaker 1".\n',
  });
  await lines('name', 'mem_2', 'Speaker 2', '東京の母', '--me');
  for (const columns of [80, 40]) {
    for (const args of ['name mem_1', 'name mem_2', 'people list', 'people list --doubtful']) {
      const { stdout, stderr } = await show(args.split(' '), columns);
      for (const shown of `${stdout}${stderr}`.split('\n'))
        expect(displayWidth(shown), shown).toBeLessThanOrEqual(columns);
      expect(stdout).not.toContain('\u202e');
    }
  }
  const { stdout } = await show(['name', 'mem_2']);
  expect(stdout).toBe(
    `Speaker 1  spoke 0:08  no name
  0:05  We talk about the submarine.
  0:15  Then we leave on Monday.

Speaker 2  spoke 0:04  東京の母 (you)
  0:10  I promise to bring the pump.
`,
  );
});

test('on a terminal, a change says what it replaced, and a hint can be pasted', async () => {
  const { account, folder, run, show, lines } = await mirrored();
  await account.put({ id: 'mem_3', transcript: transcriptOn(3, ['--remove', `${'Label '.repeat(5)}`]) });
  await run(['mirror']);
  expect(await show(['name', 'mem_3'])).toMatchObject({
    stderr: 'Name a speaker: memory-read name mem_3 -- --remove NAME\n',
  });
  expect((await show(['name', 'mem_3', '--mirror', folder], 300)).stderr).toBe(
    `Name a speaker: memory-read name mem_3 --mirror ${folder} -- --remove NAME\n`,
  );
  const narrow = (await show(['name', 'mem_3'], 40)).stdout;
  expect(narrow).toMatch(/spoke 0:08.*"Label.*spoke 0:04/s);
  const said = async (...args: string[]) => (await show(args, 200)).stdout;
  expect(await said('name', 'mem_1', 'Speaker 1', 'Ada', '--me')).toBe('Speaker 1 of mem_1 is Ada (you).\n');
  expect(await said('name', 'mem_1', 'Speaker 1', 'Bob')).toBe('Speaker 1 of mem_1 is Bob. It was Ada.\n');
  expect(await said('people', 'undo')).toBe(
    'The last change of names is undone. Changed: Ada (you, in 1 memory). Removed: Bob.\n',
  );
  await lines('name', 'mem_2', 'Speaker 1', 'Ada L.');
  expect(await said('people', 'merge', 'Ada', 'Ada L.')).toBe('Ada is Ada L. now (you, in 2 memories).\n');
  expect(await said('people', 'undo')).toBe(
    'The last change of names is undone. Changed: Ada (you, in 1 memory), Ada L. (in 1 memory).\n',
  );
  for (let index = 0; index < 2; index += 1) await lines('people', 'undo');
  expect(await said('people', 'undo')).toBe('There is no change of names to undo.\n');
});

test('an interruption forgets nothing, or the result is printed', async () => {
  const { cwd, account, run, lines } = await mirrored();
  await lines('name', 'mem_2', 'Speaker 2', 'Ada');
  const start = () => startCli(['people', 'forget', 'Ada'], { cwd, env: account.env });
  const early = start();
  early.process.prependListener('newListener', (name) => {
    if (name === 'SIGINT') queueMicrotask(() => early.interrupt('SIGINT'));
  });
  expect(await early.result).toMatchObject({ code: 130, stdout: '', stderr: 'Interrupted by SIGINT.\n' });
  expect(await lines('people', 'list')).toMatchObject([{ name: 'Ada' }]);
  const { rmSync } = fs;
  let late = early;
  const interrupting: typeof rmSync = (path, options) => {
    // The page of the person is removed after the name.
    if (String(path).endsWith('Ada.md')) late.interrupt('SIGINT');
    return rmSync(path, options);
  };
  const printed = await withFunction('rmSync', interrupting, () => {
    late = start();
    return late.result;
  });
  expect(printed).toMatchObject({ code: 130, stderr: 'Interrupted by SIGINT.\n' });
  expect(jsonLines(printed.stdout)).toEqual([{ event: 'forgotten', leftFiles: [] }]);
  expect(await run(['people', 'list'])).toMatchObject({ code: 0, stdout: '' });
});

test('exports the names as a private file that replaces an earlier export only, and imports them all or none', async () => {
  const { account, cwd, run, lines } = await mirrored();
  await lines('name', 'mem_1', 'Speaker 2', 'Ada', '--me');
  const { stdout: file } = await run(['people', 'export']);
  expect(jsonLines(file)).toMatchObject([
    { format: 'memory-read people', version: 1 },
    { me: 'Ada' },
    { memory: 'mem_1', speaker: 'Speaker 2', person: 'Ada' },
  ]);
  const saved = join(cwd, 'people.jsonl');
  const save = () => run(['people', 'export', '--output', '.']);
  expect(await save()).toEqual({ code: 0, stdout: '', stderr: '' });
  expect([readFileSync(saved, 'utf8'), statSync(saved).mode & 0o777]).toEqual([file, 0o600]);
  await lines('name', 'mem_2', 'Speaker 2', 'Ada');
  expect(await save()).toMatchObject({ code: 0 });
  expect(readFileSync(saved, 'utf8').split('\n')).toHaveLength(5);
  const [header] = file.split('\n');
  const others = [
    'notes',
    `${header}\nnotes\n`,
    `${file}<<<<<<< HEAD\n`,
    '{"format":"memory-read people","version":2}\n',
  ];
  for (const other of others) {
    writeFileSync(saved, other);
    const stderr = expect.stringContaining('exists with other content');
    expect(await save(), other).toMatchObject({ code: 1, stderr });
    expect(readFileSync(saved, 'utf8')).toBe(other);
  }

  const second = join(temporaryDirectory(), 'second');
  await run(['mirror', second], account);
  const env = { MEMORY_READ_MIRROR: second };
  const importing = (input: string | Uint8Array) => run(['people', 'import', '-'], { env, input });
  const counts = { event: 'imported', changed: 1, unchanged: 0, skipped: 0, waiting: 0, doubtful: 0 };
  expect(jsonLines((await importing(file)).stdout)).toEqual([counts]);
  expect(jsonLines((await importing(`\uFEFF${file.replaceAll('\n', '\r\n')}`)).stdout)).toEqual([
    { ...counts, changed: 0, unchanged: 1 },
  ]);
  const problem = 'Failed to import the names: line 4 is not JSON. Correct the line. Nothing was imported.\n';
  await expectFailure(importing(`${file}<<<<<<< HEAD\n`), 1, problem);
  await expectFailure(
    importing(Uint8Array.of(0x7b, 0xff)),
    1,
    /^Failed to import the names: the file is not valid UTF-8\. /,
  );
  writeFileSync(
    join(cwd, 'mine.jsonl'),
    `${jsonLines(file)
      .slice(0, 1)
      .map((line) => JSON.stringify(line))}\n{"memory":"mem_2","speaker":"Speaker 1","person":"Bob"}`,
  );
  expect(jsonLines((await run(['people', 'import', 'mine.jsonl'], { env })).stdout)).toEqual([counts]);
  const people = jsonLines((await run(['people', 'list'], { env })).stdout);
  expect(people.map(({ name, me }) => [name, me])).toEqual([
    ['Ada', true],
    ['Bob', false],
  ]);
});
