import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonLines } from '../testing/json-lines.ts';
import { expectFailure, type RunOptions, runCli, startCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount, summary, transcript } from '../testing/serve-account.ts';

const ids = ['mem_a', 'mem_ab1', 'mem_ab2', 'mem_c1', 'mem_ab3', 'mem_ab4', 'mem_ab5', 'mem_ab6'];
const terminal = { stderr: {} };

function said(text: string) {
  const [segment] = transcript.segments;
  return { segments: [{ ...segment, text }] } as typeof transcript;
}

function at(day: number) {
  return { started_at: `2026-03-0${day}T08:00:00Z`, ended_at: `2026-03-0${day}T08:10:00Z` };
}

/** Runs \`get\`, and returns the id of what it printed, or the error. */
async function get(text: string, options: RunOptions, ...more: string[]) {
  const { code, stdout, stderr } = await runCli(['get', text, '--json', ...more], options);
  return [code === 0 ? jsonLines(stdout)[0]?.id : code, stderr];
}

test.each([
  ['mem_a', {}, 'mem_a', '', 1],
  ['mem_c', { terminal }, 'mem_c1', 'Using mem_c1.\n', 3],
  ['mem_c', {}, 4, 'there is no memory with this id. Pass the whole id, mem_c1.', 2],
  ['mem_ab', { terminal }, 4, /6 ids begin with it, such as (mem_ab\d, ){4}mem_ab\d\. Pass more of the id\./, 2],
  ['mem_x', { terminal }, 4, 'there is no memory with this id. See memory-read list.', 2],
  ['em_c', { terminal }, 4, 'there is no memory with this id. See memory-read list.', 2],
] as const)('an id or its beginning: %s, %j', async (text, options, found, stderr, requests) => {
  const account = await serveAccount(...ids.map((id) => ({ id })));
  const error = typeof stderr === 'string' && found === 4 ? `Failed to get memory "${text}": ${stderr}\n` : stderr;
  const expected = typeof error === 'string' ? error : expect.stringMatching(error);
  expect(await get(text, { ...options, env: account.env })).toEqual([found, expected]);
  expect(account.requests).toHaveLength(requests);
});

test('a beginning is refused with --quiet, as its completion would not be seen', async () => {
  const { env } = await serveAccount({ id: 'mem_c1' });
  expect(await get('mem_c', { env, terminal }, '--quiet')).toEqual([4, expect.stringContaining('Pass the whole id')]);
});

const processing = { is_processing: true, transcript: null, summary: null };

test('`latest` is the newest memory that is processed, and newer ones are named', async () => {
  const { env, put } = await serveAccount({ id: 'mem_1', ...at(1) }, { id: 'mem_2', name: 'A\nday', ...at(2) });
  const using = 'Using mem_2: A\\nday.\n';
  expect(await get('latest', { env })).toEqual(['mem_2', using]);
  await put({ id: 'mem_3', ...at(3), ...processing });
  const one = '1 newer memory is still processing. This is the newest that is processed.\n';
  expect(await get('latest', { env })).toEqual(['mem_2', one + using]);
  expect(await get('latest', { env }, '--quiet')).toEqual(['mem_2', '']);
  await put({ id: 'mem_4', ...at(4), ...processing });
  expect(await get('latest', { env })).toEqual(['mem_2', expect.stringMatching(/^2 newer memories are /)]);
});

test.each([
  [[], 'there are no memories. Check the account with memory-read whoami.'],
  [[processing], 'no memory is processed yet. Run memory-read wait latest, which waits for the newest.'],
])('`latest` ends with 4 without a processed memory: %j', async (records, problem) => {
  const { env } = await serveAccount(...records);
  await expectFailure(runCli(['get', 'latest'], { env }), 4, `Failed to get memory "latest": ${problem}\n`);
});

test('words find the memory that has all of them, with as few requests as possible', async () => {
  const account = await serveAccount(
    { id: 'mem_1', name: 'Plumber', transcript: said('The pipe has burst, a burst pipe.'), ...at(1) },
    {
      id: 'mem_2',
      name: 'Night',
      transcript: said('A pipe.'),
      summary: { ...summary, quick_summary: 'Rain.' },
      ...at(2),
    },
    { id: 'mem_3', name: 'Rain', ...processing, ...at(3) },
  );
  const requestsOf = async (text: string, options: RunOptions = {}) => {
    account.requests.length = 0;
    const result = await get(text, { env: account.env, ...options });
    return [...result, account.requests.length];
  };
  // The id, the list and the memory.
  expect(await requestsOf('plumber')).toEqual(['mem_1', 'Using mem_1: Plumber.\n', 3]);
  // In addition, the two transcripts.
  expect(await requestsOf('burst pipe')).toEqual(['mem_1', 'Using mem_1: Plumber.\n', 5]);
  const none = 'Failed to get memory "zebra": no memory has this id or these words. See memory-read list.\n';
  expect(await requestsOf('zebra')).toEqual([4, none, 4]);
  const cwd = temporaryDirectory();
  await runCli(['mirror', '--no-media'], { env: account.env, cwd });
  // With a mirror, no transcript is requested but those that it does not have.
  expect(await requestsOf('burst pipe', { cwd })).toEqual(['mem_1', 'Using mem_1: Plumber.\n', 3]);
  await account.put({ id: 'mem_4', name: 'Day', transcript: said('A zebra.'), ...at(4) });
  expect(await requestsOf('zebra', { cwd })).toEqual(['mem_4', 'Using mem_4: Day.\n', 4]);
  // A mirror of another account is not read.
  const other = await serveAccount({ id: 'mem_1', name: 'Other' });
  expect(await get('burst pipe', { env: other.env, cwd })).toEqual([4, expect.stringMatching(/no memory has/)]);
});

test('words that several memories have end with 4 off a terminal, and name the first of them', async () => {
  const records = Array.from({ length: 7 }, (_, index) => ({
    id: `mem_${index}`,
    name: 'A burst pipe',
    ...at(index + 1),
  }));
  const { env } = await serveAccount(...records);
  await expectFailure(
    runCli(['get', 'burst pipe'], { env, terminal }),
    4,
    'Failed to get memory "burst pipe": 7 memories have these words, such as mem_6 ("A burst pipe"), mem_5 ("A burst pipe"), mem_4 ("A burst pipe"), mem_3 ("A burst pipe"), mem_2 ("A burst pipe"). Pass one of the ids, or more words.\n',
  );
});

test.each([
  ['get', '\x03', 130, /\nInterrupted by SIGINT\.\n$/],
  ['get', '\x04', 2, /\nFailed to read the answer: the input has ended\./],
  ['wait', '\x03', 130, /\nInterrupted by SIGINT\.\n$/],
  ['wait', '\x04', 2, /\nFailed to read the answer: the input has ended\./],
] as const)('a question of `%s` that gets %j ends the command', async (command, key, code, stderr) => {
  const { env } = await serveAccount({ id: 'mem_1', name: 'A pipe' }, { id: 'mem_2', name: 'A pipe' });
  const running = startCli([command, 'pipe', ...(command === 'wait' ? ['A pipe'] : [])], { env, terminal });
  Object.assign(running.process.stdin, { isTTY: true }).write(key);
  const { stderr: shown, ...result } = await running.result;
  expect(result).toEqual({ code, stdout: '' });
  expect(shown.match(/Which one/g)).toHaveLength(1);
  expect(shown).toMatch(stderr);
});

test('no more than the newest 50 transcripts are requested, and the error says so', async () => {
  const records = Array.from({ length: 52 }, (_, index) => ({ id: `mem_${index}` }));
  const account = await serveAccount(...records);
  const [code, stderr] = await get('zebra', { env: account.env });
  expect([code, account.requests.length]).toEqual([4, 52]);
  expect(stderr).toContain('Only the newest 50 transcripts were searched. Run memory-read mirror to search all.');
});

/** Commands of one memory, with what they print of the memory that was found. */
const commands: readonly [line: string, printed: RegExp][] = [
  ['get TEXT --json', /^\{"id":"mem_2"/],
  ['get TEXT --mirror memories --json', /^\{"id":"mem_2"/],
  ['wait TEXT', /^\{"memoryId":"mem_2","status":"processed"/],
  ['download TEXT audio', /^\{"event":"saved","memoryId":"mem_2"/],
  ['export TEXT --format txt', /^Speaker 1: A burst pipe\.\n$/],
  ['export TEXT --format txt --mirror memories', /^Speaker 1: A burst pipe\.\n$/],
  ['history TEXT', /^\{"memoryId":"mem_2"/],
];

test.each(commands)('`%s` takes `latest` and words', async (line, printed) => {
  const media = { audio: { object_key: 'mem_1/audio.wav', content_type: 'audio/wav' } };
  const { env } = await serveAccount(
    { id: 'mem_1', name: 'Night', transcript: said('A pipe.'), media, ...at(1) },
    { id: 'mem_2', name: 'Plumber', transcript: said('A burst pipe.'), media, ...at(2) },
  );
  const cwd = temporaryDirectory();
  await runCli(['mirror', '--no-media'], { env, cwd });
  for (const [text, stderr] of [
    ['latest', 'Using mem_2: Plumber.\n'],
    ['burst pipe', 'Using mem_2: Plumber.\n'],
    ['Plumber', 'Using mem_2: Plumber.\n'],
    ['\tburst \n pipe\u00a0', 'Using mem_2: Plumber.\n'],
  ] as const) {
    const args = line.split(' ').map((word) => (word === 'TEXT' ? text : word));
    const options = line.includes('--mirror') || line.startsWith('history') ? { cwd } : { cwd, env };
    if (line.startsWith('download')) args.push('--output', join(temporaryDirectory(), 'a'));
    expect(await runCli(args, options)).toEqual({ code: 0, stdout: expect.stringMatching(printed), stderr });
  }
});

test.each(commands)('`%s` refuses an empty text without a request', async (line) => {
  const account = await serveAccount({});
  const cwd = temporaryDirectory();
  await runCli(['mirror', '--no-media'], { env: account.env, cwd });
  account.requests.length = 0;
  for (const text of ['', ' \t\n']) {
    const args = line.split(' ').map((word) => (word === 'TEXT' ? text : word));
    const options = line.includes('--mirror') || line.startsWith('history') ? { cwd } : { cwd, env: account.env };
    const empty = 'Failed to read the memory: the text is empty. Pass an id, latest, or words.\n';
    await expectFailure(runCli(args, options), 2, empty);
  }
  expect(account.requests).toEqual([]);
});

test('`wait latest` waits for the newest memory, also if it is still processing', async () => {
  const { env } = await serveAccount({ id: 'mem_1', ...at(1) }, { id: 'mem_2', ...at(2), ...processing });
  const { code, stdout } = await runCli(['wait', 'latest', '--timeout', '50ms'], { env });
  expect([code, jsonLines(stdout)]).toMatchObject([5, [{ memoryId: 'mem_2', status: 'timed_out' }]]);
});

test.each(['latest', 'burst pipe', 'Plumber'])('`purge` takes only an id, and not “%s”', async (text) => {
  const { env } = await serveAccount({ name: 'Plumber', transcript: said('A burst pipe.') });
  const cwd = temporaryDirectory();
  await runCli(['mirror', '--no-media'], { env, cwd });
  await expectFailure(
    runCli(['purge', text], { cwd, terminal }),
    4,
    /Failed to purge "[^"]+": (the mirror has no memory with this id|no memory of the mirror)/,
  );
});

test('`get` shows where the words are, and the transcript from there on in the pager', async () => {
  const segments = Array.from({ length: 40 }, (_, index) => ({
    ...transcript.segments[0],
    speaker: `Speaker ${index % 2}`,
    start_at: new Date(Date.parse('2026-03-01T08:00:00Z') + index * 1000).toISOString(),
    text: index === 30 ? 'A burst pipe.' : 'Rain.',
  }));
  const { env } = await serveAccount({ name: 'Plumber', transcript: { segments } as typeof transcript });
  const { stdout } = await runCli(['get', 'burst pipe', '--format', 'txt'], { env });
  expect(stdout).toContain('\nFound    0:30 Speaker 0: A burst pipe.\n');
  expect(stdout.match(/burst/g)).toHaveLength(2);
  const { stdout: coloured } = await runCli(['get', 'burst pipe', '--format', 'txt'], {
    env: { ...env, NO_COLOR: '', FORCE_COLOR: '1' },
  });
  expect(coloured).toContain('\u001b[1m\u001b[33m0:30  Speaker 0');
  expect(coloured).toContain('\u001b[36m0:31  Speaker 1');
  const [id] = await get('mem_1', { env });
  expect((await runCli(['get', String(id), '--format', 'txt'], { env })).stdout).not.toContain('Found');
});
