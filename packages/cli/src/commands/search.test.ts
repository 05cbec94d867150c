import { join } from 'node:path';
import { expect, test } from 'vitest';
import { summary, transcript } from '../testing/create-account.ts';
import { jsonLines } from '../testing/json-lines.ts';
import { runCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';

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
      memoryId: 'mem_2',
      name: 'We start',
      started_at: later.started_at.replace('Z', '.000Z'),
      matches: [{ field: 'name', text: 'We start' }],
    },
    {
      memoryId: 'mem_1',
      name: 'Morning',
      started_at: '2026-03-01T08:00:00.000Z',
      matches: [
        { field: 'summary', text: 'A start.' },
        { field: 'takeaway', text: 'They start.' },
        { field: 'transcript', text: 'Shall we start?', speaker: 'Speaker 1', offset_seconds: 1 },
      ],
    },
  ]);
  const found = async (...args: string[]) =>
    jsonLines((await runCli(['search', '--mirror', folder, ...args])).stdout).map(({ memoryId }) => memoryId);
  expect(await found('start', '--limit', '1')).toEqual(['mem_2']);
  expect(await found('we', 'start')).toEqual(['mem_2', 'mem_1']);
  expect(await found('start', 'shall')).toEqual(['mem_1']);
  expect(await found('shall we')).toEqual(['mem_1']);
  expect(await found('we shall')).toEqual([]);
  expect(await found('speaker:Speaker 1', 'shall')).toEqual(['mem_1']);
  expect(await found('speaker:"Speaker 1"', 'shall')).toEqual(['mem_1']);
  expect(await found('speaker:Speaker 2', 'shall')).toEqual([]);
  expect(await found('shall', '--', '-speaker:Speaker 2')).toEqual(['mem_1']);
  expect(await found('shall', '--', '-speaker:Speaker 1')).toEqual([]);
  expect(await found('start', '--', '-shall')).toEqual(['mem_2', 'mem_1']);
});

test('prints text, one JSON array, or Markdown in which no name is a heading', async () => {
  const { folder } = await mirrored({ name: '# Morning', transcript, summary });
  const found = async (format: string) =>
    (await runCli(['search', 'start', '--mirror', folder, '--format', format])).stdout;
  expect(await found('text')).toBe(
    [
      '2026-03-01 08:00  # Morning  mem_1',
      '  Summary: A start.',
      '  Takeaway: They start.',
      '  0:01 Speaker 1: Shall we start?',
      '',
    ].join('\n'),
  );
  expect(await found('md')).toBe(
    [
      '## 2026-03-01 08:00 \\# Morning',
      '',
      'mem\\_1',
      '',
      '- Summary: A start.',
      '- Takeaway: They start.',
      '- 0:01 Speaker 1: Shall we start?',
      '',
    ].join('\n'),
  );
  expect(JSON.parse(await found('json'))).toEqual(jsonLines(await found('jsonl')));
});

test('ends with 0 if nothing is found', async () => {
  const { folder } = await mirrored({});
  const env = { MEMORY_READ_MIRROR: folder };
  for (const words of [['nothing'], ['"'], ['*'], ['-']]) {
    expect(await runCli(['search', '--', ...words], { env })).toEqual({ code: 0, stdout: '', stderr: '' });
  }
});

test('refuses an option after --, which would be a word of the query', async () => {
  const { folder } = await mirrored({ transcript });
  expect(await runCli(['search', 'start', '--mirror', folder, '--', '-draft', '--limit', '2'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Failed to read --limit: it follows --, where everything is a word of the query. Write options before --.\n',
  });
});

test('says that the beginning of a word needs 3 characters', async () => {
  const { folder } = await mirrored({ transcript });
  const found = async (word: string) => (await runCli(['search', word, '--mirror', folder])).stderr;
  expect(await found('xy*')).toBe(
    'No name, summary, takeaway or turn has all these words. The beginning of a word, such as xyz*, needs 3 characters.\n',
  );
  expect(await found('xyz*')).toBe('');
});

test('says how a label is written if a search with one finds nothing', async () => {
  const { folder } = await mirrored({ transcript });
  for (const words of [['speaker:Speaker'], ['speaker:', 'Speaker 2'], ['speaker:Speaker', '2', 'nothing']]) {
    expect((await runCli(['search', ...words, '--mirror', folder])).stderr).toBe(
      'No name, summary, takeaway or turn has all these words. A label must be complete and follow speaker: directly, as in speaker:"Speaker 2".\n',
    );
  }
});

test('prints all hits of a memory in one line, however many there are', async () => {
  const [segment] = transcript.segments;
  const segments = Array.from({ length: 450 }, (_item, index) => ({ ...segment, speaker: `Speaker ${index % 2}` }));
  const { folder } = await mirrored({ transcript: { segments } as typeof transcript }, { id: 'mem_2', transcript });
  const lines = jsonLines((await runCli(['search', 'start', '--mirror', folder])).stdout);
  const matches = Object.fromEntries(lines.map(({ memoryId, matches }) => [memoryId, (matches as unknown[]).length]));
  expect(matches).toEqual({ mem_1: 450, mem_2: 1 });
});

test.each(['search', 'history', 'purge'])('ends with 2 and creates nothing without a mirror: %s', async (command) => {
  const cwd = temporaryDirectory();
  expect(await runCli([command, 'word'], { cwd })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Failed to find the mirror: "memories" is not a mirror. Run memory-read mirror first, or pass --mirror.\n',
  });
  expect(await runCli([command, 'word', '--mirror', 'my copy'], { cwd })).toMatchObject({
    code: 2,
    stderr: `Failed to find the mirror: "my copy" is not a mirror. Pass the folder that contains mirror.sqlite, or run memory-read mirror 'my copy' first.\n`,
  });
});

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

  expect(await run('purge', memoryId)).toEqual({
    code: 0,
    stdout: '{"event":"purged","memoryId":"mem_1","leftFiles":[]}\n',
    stderr: '',
  });
  expect(await run('search', 'shall')).toEqual({ code: 0, stdout: '', stderr: '' });
  for (const [command, action] of [
    ['purge', 'purge'],
    ['history', 'read the history of'],
  ] as const) {
    expect(await run(command, memoryId)).toEqual({
      code: 4,
      stdout: '',
      stderr: `Failed to ${action} "mem_1": the mirror has no memory with this id, or it was purged. Check the id.\n`,
    });
  }
  await account.put({ transcript });
  expect(jsonLines((await mirror()).stdout).at(-1)).toMatchObject({ memories: 1, listed: 2, added: 0, unchanged: 1 });
});
