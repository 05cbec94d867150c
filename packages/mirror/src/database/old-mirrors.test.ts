import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { allOf } from '@memory-read/test-kit/all-of';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { describe, expect, test } from 'vitest';
import { openAccount, saidRecord } from '../testing/open-account.ts';
import { openForTest } from '../testing/open-for-test.ts';
import { changeDatabase } from '../testing/own-database.ts';

/** Returns the folder of a mirror that the code of this version of the tables wrote. */
function oldMirror(version: number): string {
  const folder = makeFolder();
  const stored = readFileSync(join(import.meta.dirname, `../testing/mirror-${version}.sqlite.gz`));
  writeFileSync(join(folder, 'mirror.sqlite'), gunzipSync(stored));
  return folder;
}

const open = (folder: string, options: { readOnly?: boolean } = {}) => openForTest({ folder, ...options });

describe.each([1, 2, 3, 4])('a mirror of version %d', (version) => {
  test.each([true, false])('has its memories, history and words, readOnly: %s', async (readOnly) => {
    const mirror = await open(oldMirror(version), { readOnly });
    const { memories } = await mirror.listMemories();
    expect(memories.map(({ memory, missingSince }) => [memory.name, missingSince !== null])).toEqual([
      ['Lunch', true],
      ['New plans', false],
    ]);
    const history = await mirror.history('mem_a');
    expect(history.map(({ type, fields }) => [type, ...fields].join(' '))).toEqual([
      'added',
      'changed name transcript summary',
    ]);
    expect(await mirror.getMemory('mem_a', { asOf: history[0]?.at })).toMatchObject({
      memory: { name: 'Plans', transcript: { segments: [{ text: 'Ten percent more.' }] } },
      version: 1,
    });
    if (readOnly) await expect(mirror.check()).rejects.toMatchObject({ code: 'older_version' });
    if (readOnly && version === 1) {
      await expect(mirror.search('percent')).rejects.toMatchObject({ code: 'older_version' });
      return;
    }
    expect((await mirror.search('twelve more')).hits).toMatchObject([
      { memoryId: 'mem_a', name: 'New plans', version: 2 },
    ]);
    expect((await mirror.search('owl')).hits).toMatchObject([{ memoryId: 'mem_b', startedAt: '2026-08-21T10:00:00Z' }]);
    expect((await mirror.search('secret')).hits).toEqual([]);
  });

  test('has no names while it is open for reading only, and stays byte for byte as it is', async () => {
    const folder = oldMirror(version);
    const before = readFileSync(join(folder, 'mirror.sqlite'));
    const mirror = await open(folder, { readOnly: true });
    expect(await mirror.getMemory('mem_a')).toMatchObject({ names: {}, me: null });
    expect((await mirror.listMemories()).memories.map(({ names }) => ({ ...names }))).toEqual([{}, {}]);
    expect(await mirror.people.list()).toEqual([]);
    expect(await mirror.people.doubts()).toEqual([]);
    expect(await mirror.people.speakers('mem_a')).toMatchObject([
      { label: 'Ada', person: null, isMe: false, doubtful: [], segments: 1, duration: 2000 },
    ]);
    expect(await allOf(mirror.people.export())).toHaveLength(1);
    await expect(mirror.people.name('mem_a', 'Ada', 'Grace')).rejects.toMatchObject({ code: 'read_only' });
    if (version > 1) {
      const { hits } = await mirror.search('speaker:ada percent');
      expect(hits).toMatchObject([{ memoryId: 'mem_a', speaker: 'Ada', person: null }]);
      expect((await mirror.search('speaker:grace percent')).hits).toEqual([]);
    }
    await mirror.close();
    expect(readFileSync(join(folder, 'mirror.sqlite'))).toEqual(before);
  });

  test('has the events of its history, once it was opened for writing', async () => {
    const folder = oldMirror(version);
    const reader = await open(folder, { readOnly: true });
    await expect(reader.events()).rejects.toMatchObject({ code: 'older_version' });
    await (await open(folder)).close();
    const { events } = await (await open(folder, { readOnly: true })).events();
    const lines = events.map(({ type, data }) => [type, data.memory_id, ...data.fields].join(' '));
    const ofOthers = [
      'memory.added mem_b',
      'memory.processed mem_b',
      'memory.added mem_a',
      'memory.processed mem_a',
      'memory.changed mem_a name transcript summary',
      'memory.missing mem_b',
    ];
    // The clock was set back between the first two memories, and one was added while it was processed.
    const ofNewest = [
      'memory.added mem_a',
      'memory.processed mem_a',
      'memory.added mem_b',
      'memory.processed mem_b is_processing transcript summary',
      'memory.changed mem_a name transcript summary',
      'memory.missing mem_b',
    ];
    expect(lines).toEqual(version === 4 ? ofNewest : ofOthers);
    expect(events.map(({ data }) => data.memory?.name)).toContain('Plans');
  });

  test('takes names after it was opened for writing', async () => {
    const folder = oldMirror(version);
    const mirror = await open(folder);
    await mirror.people.name('mem_a', 'Ada', 'Grace Hopper');
    expect((await mirror.search('speaker:grace percent')).hits).toMatchObject([{ person: 'Grace Hopper' }]);
    expect({ ...(await mirror.getMemory('mem_a'))?.names }).toEqual({ Ada: 'Grace Hopper' });
    expect((await mirror.check()).damaged).toEqual([]);
  });

  test('keeps the names of its pages, is whole, and can be synced', async () => {
    const folder = oldMirror(version);
    const mirror = await open(folder);
    expect(await mirror.check()).toEqual({ memories: 2, versions: version === 4 ? 4 : 3, media: 0, damaged: [] });
    await mirror.writePages({ timeZone: 'UTC' });
    expect(readdirSync(join(folder, 'pages')).sort()).toEqual([
      '2026-08-20 New plans 6271.md',
      '2026-08-21 Lunch d854.md',
    ]);
    const account = await openAccount();
    await account.put(saidRecord('mem_a'), saidRecord('mem_b'), saidRecord('mem_c'));
    const report = await mirror.sync(account.clientOf('https://api.example.com'));
    expect(report).toMatchObject({ changed: 2, returned: 1, added: 0, failed: [] });
    await mirror.close();
    expect((await (await open(folder, { readOnly: true })).check()).damaged).toEqual([]);
  });
});

test.each<[damage: string, sql: string]>([
  ['another time', 'UPDATE events SET at = at + 1 WHERE memory_key = 3 AND version = 2'],
  ['no longer its number', 'UPDATE events SET version = 1 WHERE rowid = (SELECT max(rowid) FROM events)'],
  ['another checksum', 'UPDATE events SET checksum = 7 WHERE memory_key = 3 AND version = 1'],
  ['no checksum', 'UPDATE events SET checksum = NULL WHERE memory_key = 3 AND version = 2'],
  ['fields that are no JSON', "UPDATE events SET fields = '[' WHERE memory_key = 3 AND version = 2"],
  ['a time that JavaScript lacks', 'UPDATE events SET at = 9223372036854775807 WHERE memory_key = 3 AND version = 2'],
])('an event that has %s is damaged after the migration too', async (_, sql) => {
  const folder = oldMirror(4);
  changeDatabase(folder, sql);
  const mirror = await open(folder);
  const damaged = expect.objectContaining({ part: 'database', memoryId: expect.any(String) });
  expect((await mirror.check()).damaged).toEqual([damaged]);
});
