import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MemoryRecord } from '@memory-read/contract';
import { allOf } from '@memory-read/test-kit/all-of';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WriterLock } from '../database/writer-lock.ts';
import type { Mirror } from '../index.ts';
import { audio, openAccount, type TestAccount } from '../testing/open-account.ts';
import { openForTest } from '../testing/open-for-test.ts';
import { type Row, spokenRecord } from '../testing/open-people.ts';
import { filesWith } from '../testing/read-folder.ts';

let account: TestAccount;
let folder: string;
let mirror: Mirror;

/** A recording with a speaker for each text. */
function talk(id: string, said: Record<string, string>, overrides: Partial<MemoryRecord> = {}): MemoryRecord {
  const rows = Object.entries(said).map(([label, text], index): Row => [label, index, index + 1, text]);
  return spokenRecord(id, rows, { name: `Talk ${id.slice(-1)}`, media: audio, ...overrides });
}

/** All calls, each of which a closed mirror rejects. */
const calls: ((people: Mirror['people']) => Promise<unknown>)[] = [
  (people) => people.speakers('mem_1'),
  (people) => people.name('mem_1', 'Speaker 2', 'Ada'),
  (people) => people.unname('mem_1', 'Speaker 2'),
  (people) => people.list(),
  (people) => people.doubts(),
  (people) => people.rename('Bob', 'Ada'),
  (people) => people.merge('Bob', 'Ada Quokka'),
  (people) => people.forget('Ada Quokka'),
  (people) => people.undo(),
  (people) => people.import(''),
  async (people) => people.export()[Symbol.asyncIterator]().next(),
];

const sync = () => mirror.sync(account.clientOf('https://api.example.com'), { media: true, recheck: 9 });
const list = async () => (await mirror.people.list()).map(({ name, memories }) => `${name} ${memories}`);
const path = (name: string) => join(folder, name);
const pages = () => readdirSync(path('pages')).filter((name) => name.endsWith('.md'));
const pageOf = (name: string) => `pages/${pages().find((page) => page.includes(name))}`;

beforeEach(async () => {
  account = await openAccount();
  folder = makeFolder();
  mirror = await openForTest({ folder });
  await account.put(
    talk('mem_1', { 'Speaker walrus': 'Good morning.', 'Speaker 2': 'Hello, Ada.' }),
    talk(
      'mem_2',
      { 'Speaker 1': 'We meet again.', 'Speaker 2': 'Yes, we do.' },
      { started_at: '2026-08-21T10:00:00Z' },
    ),
  );
  await sync();
  await mirror.people.name('mem_1', 'Speaker walrus', 'Ada Quokka', { me: true });
  await mirror.people.name('mem_1', 'Speaker 2', 'Bob');
  await mirror.people.name('mem_2', 'Speaker 1', 'Bob');
});

describe('a purge', () => {
  test('leaves no byte of the names, labels and pages of people of the memory', async () => {
    await mirror.people.rename('Ada Quokka', 'Ada Zebra');
    await mirror.people.unname('mem_1', 'Speaker walrus');
    await mirror.people.name('mem_1', 'Speaker walrus', 'Ada Quokka');
    await mirror.writePages({ timeZone: 'UTC' });
    expect(readdirSync(path('pages/people')).sort()).toEqual(['Ada Quokka.md', 'Bob.md']);
    expect(await mirror.purge('mem_1')).toMatchObject({ purged: true, leftFiles: [] });
    for (const text of ['Quokka', 'quokka', 'Zebra', 'walrus', 'mem_1']) expect(filesWith(folder, text)).toEqual([]);
    expect(await list()).toEqual(['Bob 1']);
    expect(readdirSync(path('pages/people'))).toEqual(['Bob.md']);
    expect(await mirror.people.undo()).toBe(false);
    expect((await mirror.check()).damaged).toEqual([]);
  });

  test('names an edited page of a person who was named nowhere else', async () => {
    await mirror.writePages({ timeZone: 'UTC' });
    for (const name of ['Ada Quokka', 'Bob']) appendFileSync(path(`pages/people/${name}.md`), 'Mine.');
    expect(await mirror.purge('mem_1')).toMatchObject({ purged: true, leftFiles: ['pages/people/Ada Quokka.md'] });
    expect(filesWith(folder, 'Quokka')).toEqual([path('pages/people/Ada Quokka.md')]);
  });

  test('removes names that wait for a memory that the mirror never had', async () => {
    const said = `sha256-${'A'.repeat(43)}`;
    const line = { memory: 'mem_9', speaker: 'Giraffe', person: 'Carol', said, at: '2026-08-20T10:00:00.000Z' };
    await mirror.people.import(`{"format":"memory-read people","version":1}\n${JSON.stringify(line)}\n`);
    expect(filesWith(folder, 'Carol')).not.toEqual([]);
    expect(await mirror.purge('mem_9')).toMatchObject({ purged: false, leftFiles: [] });
    for (const text of ['mem_9', 'Giraffe', 'Carol', 'carol']) expect(filesWith(folder, text)).toEqual([]);
    expect(await list()).toEqual(['Ada Quokka 1', 'Bob 2']);
    expect(await mirror.purge('mem_9')).toMatchObject({ purged: false });
  });
});

describe('forget', () => {
  test('leaves no byte of the name, gives the labels back, and keeps removals and the names of others', async () => {
    await mirror.people.name('mem_2', 'Speaker 2', 'Lovelace');
    await mirror.people.merge('Lovelace', 'Ada Quokka');
    await mirror.writePages({ timeZone: 'UTC' });
    const named = filesWith(folder, 'Quokka').map((file) => file.slice(folder.length + 1));
    for (const part of ['mirror.sqlite', 'index.html', 'pages/people/', 'media/', 'index/', pageOf('Talk 1')]) {
      expect(named).toContainEqual(expect.stringContaining(part));
    }
    expect(await mirror.people.forget('ada QUOKKA')).toEqual({ forgotten: true, leftFiles: [] });
    for (const text of ['Quokka', 'quokka', 'Lovelace', 'lovelace']) expect(filesWith(folder, text)).toEqual([]);
    expect(await list()).toEqual(['Bob 2']);
    expect(readFileSync(path(pageOf('Talk 1')), 'utf8')).toContain('**Speaker walrus:**');
    expect(await mirror.getMemory('mem_1')).toMatchObject({ names: { 'Speaker 2': 'Bob' }, me: null });
    expect((await mirror.search('speaker:quokka')).hits).toEqual([]);
    expect((await mirror.search('speaker:bob hello')).hits).toMatchObject([{ person: 'Bob' }]);
    expect((await allOf(mirror.people.export())).join('')).toMatch(/"Speaker walrus","person":null/);
    expect(await mirror.people.undo()).toBe(false);
    expect((await mirror.check()).damaged).toEqual([]);
    expect(await mirror.writePages({ timeZone: 'UTC' })).toMatchObject({ written: 0 });
  });

  test('names the files with the name that belong to their owner', async () => {
    await mirror.writePages({ timeZone: 'UTC' });
    const page = pageOf('Talk 1');
    for (const name of [page, 'pages/people/Ada Quokka.md', pageOf('Talk 2')]) appendFileSync(path(name), 'Mine.');
    writeFileSync(path('pages/Note.md'), 'See [her](people/Ada%20Quokka.md), not Ada Quokkas.');
    writeFileSync(path('pages/Other.md'), 'Ada Quokkas.');
    const { leftFiles } = await mirror.people.forget('Ada Quokka');
    expect(leftFiles.sort()).toEqual([page, 'pages/Note.md', 'pages/people/Ada Quokka.md'].sort());
    expect(
      filesWith(folder, 'Quokka')
        .filter((file) => !file.endsWith('Other.md'))
        .sort(),
    ).toEqual(leftFiles.map(path));
  });

  test('names the files with a former name, or with that of a person who was merged into this one', async () => {
    await mirror.people.name('mem_2', 'Speaker 2', 'Lovelace');
    await mirror.writePages({ timeZone: 'UTC' });
    const edited = [pageOf('Talk 1'), pageOf('Talk 2'), 'pages/people/Ada Quokka.md', 'pages/people/Lovelace.md'];
    for (const name of edited) appendFileSync(path(name), 'Mine.');
    await mirror.people.rename('Ada Quokka', 'Zoe');
    await mirror.people.merge('Lovelace', 'Zoe');
    await mirror.people.rename('Zoe', 'Zoe Q');
    await mirror.people.rename('Bob', 'Robert');
    await mirror.writePages({ timeZone: 'UTC' });
    writeFileSync(path('pages/Note.md'), 'Bob and Robert.');
    expect((await mirror.people.forget('Zoe Q')).leftFiles.sort()).toEqual(edited.sort());
  });

  test('removes the captions of a former recording, which are not written again', async () => {
    await mirror.writePages({ timeZone: 'UTC' });
    const captions = () =>
      readdirSync(path('media'), { recursive: true }).filter((name) => String(name).endsWith('.vtt'));
    const said = { 'Speaker walrus': 'Good morning.', 'Speaker 2': 'Hello, Ada.' };
    // The recording of another time is another file.
    await account.put(talk('mem_1', said, { ended_at: '2026-03-01T10:45:00Z' }));
    await sync();
    await mirror.writePages({ timeZone: 'UTC' });
    expect(captions()).toHaveLength(3);
    await mirror.people.forget('Ada Quokka');
    expect(captions()).toHaveLength(2);
    expect(filesWith(folder, 'Quokka')).toEqual([]);
  });

  test('is finished by the next call or opening if a reader held the log', async () => {
    await mirror.writePages({ timeZone: 'UTC' });
    appendFileSync(path('pages/people/Ada Quokka.md'), 'Mine.');
    const reader = new DatabaseSync(path('mirror.sqlite'), { readOnly: true });
    onTestFinished(() => (reader.isOpen ? reader.close() : undefined));
    reader.exec('BEGIN; SELECT * FROM people');
    await expect(mirror.people.forget('Ada Quokka')).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringMatching(/^Failed to forget the person: another program is reading the mirror\./),
    });
    expect(await list()).toEqual(['Bob 2']);
    reader.close();
    const leftFiles = ['pages/people/Ada Quokka.md'];
    expect(await mirror.people.forget('Ada Quokka')).toEqual({ forgotten: true, leftFiles });
    expect(filesWith(folder, 'Quokka')).toEqual(leftFiles.map(path));
    await expect(mirror.people.forget('Ada Quokka')).rejects.toMatchObject({ code: 'unknown_person' });
  });

  test('takes the lock, and changes nothing for an unknown person or in a mirror for reading', async () => {
    const lock = WriterLock.take(folder, 'sync');
    await expect(mirror.people.forget('Ada Quokka')).rejects.toMatchObject({ code: 'busy' });
    lock.release();
    await expect(mirror.people.forget('Dora')).rejects.toMatchObject({ code: 'unknown_person' });
    const reader = await openForTest({ folder, readOnly: true });
    await expect(reader.people.forget(5 as never)).rejects.toMatchObject({ code: 'read_only' });
    await mirror.close();
    for (const call of calls) await expect(call(mirror.people), String(call)).rejects.toMatchObject({ code: 'closed' });
    expect((await reader.people.list()).map(({ name }) => name)).toEqual(['Ada Quokka', 'Bob']);
  });
});
