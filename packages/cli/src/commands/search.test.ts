import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { displayWidth } from '../terminal/fit-text.ts';
import { jsonLines } from '../testing/json-lines.ts';
import { expectFailure, runCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount, summary, transcript } from '../testing/serve-account.ts';

async function mirrored(...records: Parameters<typeof serveAccount>) {
  const account = await serveAccount(...records);
  const parent = temporaryDirectory();
  const folder = join(parent, 'memories');
  expect(await runCli(['mirror', folder], { env: account.env })).toMatchObject({ code: 0 });
  await account.close();
  return { account, parent, folder };
}

const later = { started_at: '2026-04-01T08:00:00Z', ended_at: '2026-04-01T08:10:00Z' };

test('prints the memories that have all words, newest first, without a network', async () => {
  const { parent, folder } = await mirrored(
    { transcript, summary },
    { id: 'mem_2', name: 'We start', ...later },
    { id: 'mem_3', name: 'Night' },
  );
  const { code, stdout, stderr } = await runCli(['search', 'START'], { cwd: parent });
  expect([code, stderr]).toEqual([0, '']);
  expect(jsonLines(stdout)).toEqual([
    {
      ...{ memoryId: 'mem_2', name: 'We start', started_at: '2026-04-01T08:00:00.000Z', match: 'together' },
      matches: [{ field: 'name', text: 'We start' }],
    },
    {
      ...{ memoryId: 'mem_1', name: 'Morning', started_at: '2026-03-01T08:00:00.000Z', match: 'together' },
      matches: [
        { field: 'summary', text: 'A start.' },
        { field: 'takeaway', text: 'They start.' },
        { field: 'transcript', text: 'Shall we start?', speaker: 'Speaker 1', offset_seconds: 1 },
      ],
    },
  ]);
  const found = async (...args: string[]) =>
    jsonLines((await runCli(['search', '--mirror', folder, ...args])).stdout).map(({ memoryId }) => memoryId);
  for (const [words, ...ids] of [
    ['start --limit 1', 'mem_2'],
    ['we start', 'mem_2', 'mem_1'],
    ['start shall', 'mem_1'],
    ['speaker:Speaker_1 shall', 'mem_1'],
    ['speaker:"Speaker_1" shall', 'mem_1'],
    ['speaker:Speaker_2 shall'],
    ['shall -- -speaker:Speaker_2', 'mem_1'],
    ['shall -- -speaker:Speaker_1'],
    ['start -- -shall', 'mem_2', 'mem_1'],
    ['shall_we', 'mem_1'],
    ['we_shall'],
  ] as [string, ...string[]][])
    expect(await found(...words.split(' ').map((word) => word.replace('_', ' '))), words).toEqual(ids);
});

test('prints text, one JSON array, or Markdown in which no name is a heading', async () => {
  const { folder } = await mirrored({ name: '# Morning', transcript, summary });
  const found = async (format: string) =>
    (await runCli(['search', 'start', '--mirror', folder, '--format', format])).stdout;
  const hits = ['Summary: A start.\n', 'Takeaway: They start.\n', '0:01 Speaker 1: Shall we start?\n'];
  expect(await found('text')).toBe(`2026-03-01 08:00  # Morning  mem_1\n  ${hits.join('  ')}`);
  expect(await found('md')).toBe(`## 2026-03-01 08:00 \\# Morning\n\nmem\\_1\n\n- ${hits.join('- ')}`);
  expect(JSON.parse(await found('json'))).toEqual(jsonLines(await found('jsonl')));
});

const calls = [
  { id: 'mem_1', name: 'Insurer', transcript: said('The premium rises.') },
  { id: 'mem_2', name: 'Call', transcript: said('The premium is due.'), ...later },
  { id: 'mem_3', name: 'Draft', transcript: said('The rate is fine.') },
];

function said(text: string) {
  const [segment] = transcript.segments;
  return { segments: [{ ...segment, text }] } as typeof transcript;
}

const noneHas = 'No memory has all these words:';
const noWord = 'The query has no word to find. Pass a word, or speaker: with a label.';

test.each([
  ['insurance premium', '"insurance" is in 0 memories, "premium" in 2. Pass --partial to see the nearest.'],
  ['pr*', '"pr*" is in 0 memories. The beginning of a word, such as xyz*, needs 3 characters.'],
  ['-- premium -the', '"premium" is in 2 memories. Leave out the words with -, which exclude texts.'],
  [
    '"premium_due"',
    '"premium due" is in 0 memories. Leave out the quotes to find words that do not follow each other.',
  ],
  ['rate --since 2026-04-01', '"rate" is in 0 memories of the range. The range of times leaves out 2 memories.'],
  [
    'speaker:Speaker rate',
    '"rate" is in 1 memory, speaker:"Speaker" in 0. A label must be complete and follow speaker: directly, as in speaker:"Speaker 2".',
  ],
  [
    'rate --speaker Adda',
    `"rate" is in 1 memory, speaker:"Adda" in 0. A label must be complete, as in --speaker 'Speaker 2'.`,
  ],
  [
    '"rate_due" speaker:Speaker_1',
    '"rate due" is in 0 memories, speaker:"Speaker 1" in 3. Leave out the quotes to find words that do not follow each other.',
  ],
  ['-- -draft', noWord],
  ['!', noWord],
  ['premuim', '"premuim" is in 0 memories. Did you mean "premium"?'],
  ['insruer', '"insruer" is in 0 memories. Did you mean "Insurer"?'],
  ['rsies premum', '"rsies" is in 0 memories, "premum" in 0. Did you mean "rises" and "premium"?'],
  ['Versicherung', '"Versicherung" is in 0 memories. Words are not translated: try another one, or its beginning.'],
])('ends with 0 if nothing is found, and says why: %s', async (query, problem) => {
  const { folder } = await mirrored(...calls);
  const env = { MEMORY_READ_MIRROR: folder };
  const words = query.split(' ').map((word) => word.replace('_', ' '));
  const stderr = `${problem === noWord ? '' : `${noneHas} `}${problem}\n`;
  expect(await runCli(['search', ...words], { env })).toEqual({ code: 0, stdout: '', stderr });
  expect(await runCli(['search', '-q', ...words], { env })).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a search in an empty or an old mirror says so', async () => {
  const empty = await mirrored();
  const sync = `Run memory-read mirror ${empty.folder} to add memories.`;
  const nothing = { code: 0, stdout: '', stderr: `The mirror has no memories. ${sync}\n` };
  expect(await runCli(['search', 'rate', '--mirror', empty.folder])).toEqual(nothing);
  const { folder } = await mirrored(...calls);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { stderr } = await runCli(['search', 'zebra', '--mirror', folder]);
  expect(stderr).toMatch(
    /The newest memory was read on \d{4}-\d\d-\d\d \d\d:\d\d\. Run memory-read mirror \S+ to add newer ones\.\n$/,
  );
});

test('prints memories with the words apart, and the nearest ones with --partial', async () => {
  const { folder } = await mirrored(...calls, { id: 'mem_4', name: 'Premium of the insurer', ...later });
  const found = async (...args: string[]) => (await runCli(['search', '--mirror', folder, ...args])).stdout;
  expect(await found('insurer', 'premium', '--format', 'text').then((text) => text.split('\n'))).toEqual([
    ...['2026-04-01 08:00  Premium of the insurer  mem_4', 'Words in different places:'],
    ...['2026-03-01 08:00  Insurer  mem_1', '  0:01 Speaker 1: The premium rises.', ''],
  ]);
  expect(jsonLines(await found('insurer', 'premium'))).toMatchObject([
    { memoryId: 'mem_4', match: 'together', matches: [{ field: 'name' }] },
    {
      memoryId: 'mem_1',
      match: 'apart',
      matches: [
        { field: 'name', lacks: ['premium'] },
        { field: 'transcript', lacks: ['insurer'] },
      ],
    },
  ]);
  expect(await found('insurer', 'premium', '--format', 'md')).toContain('\n\nWords in different places:\n\n## ');
  const [nearest] = jsonLines(await found('premium', 'rises', 'zebra', '--partial'));
  const missing = ['zebra'];
  expect(nearest).toMatchObject({ memoryId: 'mem_1', match: 'partial', missing, matches: [{ lacks: missing }] });
  expect(await found('premium', 'rises', 'zebra', '--partial', '--format', 'text')).toMatch(
    /^Only some of the words:\n2026/,
  );
});

test('prints all hits of a memory in one line, however many there are', async () => {
  const [segment] = transcript.segments;
  const segments = Array.from({ length: 450 }, (_item, index) => ({ ...segment, speaker: `Speaker ${index % 2}` }));
  const { folder } = await mirrored({ transcript: { segments } as typeof transcript }, { id: 'mem_2', transcript });
  const lines = jsonLines((await runCli(['search', 'start', '--mirror', folder])).stdout);
  const matches = Object.fromEntries(lines.map(({ memoryId, matches }) => [memoryId, (matches as unknown[]).length]));
  expect(matches).toEqual({ mem_1: 450, mem_2: 1 });
});

const purged = (memoryId: string) =>
  `{"event":"purged","memoryId":"${memoryId}","leftFiles":[],"pendingFolders":[],"logPending":false}\n`;

test('shows the history of a memory, and purges it', async () => {
  const account = await serveAccount({ transcript });
  const folder = join(temporaryDirectory(), 'memories');
  const mirror = () => runCli(['mirror', folder], { env: account.env });
  await mirror();
  await account.put({ name: 'Noon', transcript });
  await mirror();
  await account.remove('mem_1');
  await account.put({ id: 'mem_2' });
  await mirror();
  const run = (...args: string[]) => runCli([...args, '--mirror', folder]);
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  const memoryId = 'mem_1';
  expect(jsonLines((await run('history', memoryId)).stdout)).toEqual([
    { memoryId, version: 1, type: 'added', at, fields: [] },
    { memoryId, version: 2, type: 'changed', at, fields: ['name'] },
    { memoryId, version: 3, type: 'missing', at, fields: [] },
  ]);

  expect(await run('purge', memoryId)).toEqual({ code: 0, stdout: purged(memoryId), stderr: '' });
  expect(await run('search', 'shall')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/in 0 memories/),
  });
  const gone = '"mem_1": the mirror has no memory with this id, or it was purged. Check the id.\n';
  await expectFailure(run('purge', memoryId), 4, `Failed to purge ${gone}`);
  await expectFailure(run('history', memoryId), 4, `Failed to read the history of ${gone}`);
  await account.put({ transcript });
  expect(jsonLines((await mirror()).stdout).at(-1)).toMatchObject({ memories: 1, listed: 2, added: 0, unchanged: 1 });
});

test.each([
  [{}, true],
  [{ NO_COLOR: '1' }, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  [{ FORCE_COLOR: '1', isTerminal: '' }, true],
  [{ FORCE_COLOR: '0' }, false],
  [{ TERM: 'dumb' }, false],
  [{ isTerminal: '' }, false],
])(
  'colours the words that were found, and no JSON: %j',
  async ({ isTerminal = 'yes', ...env }: Record<string, string>, isColoured) => {
    const { folder } = await mirrored({ name: 'We\u001b start', transcript, summary });
    const print = async (...args: string[]) => {
      const options = { env: { NO_COLOR: '', TERM: 'xterm', ...env }, terminal: isTerminal ? { stdout: {} } : {} };
      return (await runCli(['search', '--mirror', folder, ...args], options)).stdout;
    };
    const on = isColoured ? '\u001b[1m\u001b[33m' : '';
    const off = isColoured ? '\u001b[39m\u001b[22m' : '';
    const plain =
      '2026-03-01 08:00  We\\u001b start  mem_1\n  Summary: A start.\n  Takeaway: They start.\n  0:01 Speaker 1: Shall we start?\n';
    expect(await print('--format', 'text', 'start')).toBe(plain.replaceAll('start', `${on}start${off}`));
    expect(await print('--format', 'text', 'shall we')).toContain(`: ${on}Shall${off} ${on}we${off} start?`);
    for (const format of ['json', 'jsonl', 'markdown'])
      expect(await print('--format', format, 'start')).not.toContain('\u001b');
  },
);

test('on a terminal, a hit breaks between words', async () => {
  const text = 'We talk about the submarine and 会議のデータベースの移行です。'.repeat(3);
  const { folder } = await mirrored({ name: 'Planning the submarine', transcript: said(text) });
  const terminal = { stdout: { columns: 40, rows: 99 } };
  const env = { NO_COLOR: '', FORCE_COLOR: '1' };
  const { stdout } = await runCli(['search', '--mirror', folder, 'submarine'], { env, terminal });
  const lines = stripVTControlCharacters(stdout).split('\n');
  expect(lines.filter((line) => displayWidth(line) > 40)).toEqual([]);
  expect(lines.join(' ').match(/\bsubmarine\b/g)).toHaveLength(4);
});

test('history and purge take the beginning of an id on a terminal, and never of a purged one', async () => {
  const { folder } = await mirrored(...['mem_ab1', 'mem_ab2', 'mem_c', 'mem_c1'].map((id) => ({ id })));
  const unknown = 'the mirror has no memory with this id, or it was purged. Check the id.\n';
  const notSeen = 'there is no memory with this id. Pass the whole id, mem_ab2.\n';
  const cases: [line: string, code: number, stdout: string, stderr: string][] = [
    ['history mem_x', 4, '', `Failed to read the history of "mem_x": ${unknown}`],
    [
      'purge mem_',
      4,
      '',
      'Failed to purge "mem_": 4 ids begin with it, mem_ab1, mem_ab2, mem_c, mem_c1. Pass more of the id.\n',
    ],
    ['purge mem_c', 0, purged('mem_c'), ''],
    ['purge mem_c', 4, '', `Failed to purge "mem_c": ${unknown}`],
    ['history mem_c1', 0, '"memoryId":"mem_c1"', ''],
    ['purge mem_ab1', 0, purged('mem_ab1'), ''],
    ['purge mem_ab off', 4, '', `Failed to purge "mem_ab": ${notSeen}`],
    ['purge mem_ab --quiet', 4, '', `Failed to purge "mem_ab": ${notSeen}`],
    ['history mem_ab', 0, '"memoryId":"mem_ab2"', 'Using mem_ab2.\n'],
    ['purge mem_ab', 0, purged('mem_ab2'), 'Using mem_ab2.\n'],
  ];
  for (const [line, code, stdout, stderr] of cases) {
    const args = line.split(' ').filter((word) => word !== 'off');
    const terminal = line.endsWith(' off') ? {} : { stderr: {} };
    const result = await runCli([...args, '--mirror', folder, '--json'], { terminal });
    expect({ line, ...result }).toEqual({ line, code, stdout: expect.stringContaining(stdout), stderr });
  }
});
