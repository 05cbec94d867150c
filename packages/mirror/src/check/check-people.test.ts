import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Mirror, openMirror } from '../index.ts';
import { type Naming, readNamings, writeNaming } from '../people/naming-rows.ts';
import { markSpeakers } from '../search/mark-speakers.ts';
import { openAccount, type TestAccount } from '../testing/open-account.ts';
import { openForTest } from '../testing/open-for-test.ts';
import { spokenRecord } from '../testing/open-people.ts';
import { changeDatabase } from '../testing/own-database.ts';

let account: TestAccount;
const whole = makeFolder(afterAll);
let folder: string;
/** The names, as a file. */
let backup: string;

async function exported({ people }: Mirror): Promise<string> {
  let text = '';
  for await (const line of people.export()) text += line;
  return text;
}

const client = () => account.clientOf('https://api.example.com');
const open = () => openForTest({ folder });

/** A memory in which two speakers say these words. */
const talk = (id: string, words: string) =>
  spokenRecord(id, [
    ['Speaker 1', 0, 1, `First ${words}.`],
    ['Speaker 2', 1, 2, `Second ${words}.`],
  ]);

beforeAll(async () => {
  account = await openAccount();
  await account.put(talk('mem_a', 'walrus'), talk('mem_b', 'owl'));
  const mirror = await openMirror({ folder: whole });
  await mirror.sync(client());
  for (const id of ['mem_a', 'mem_b']) {
    await mirror.people.name(id, 'Speaker 1', 'Ada');
    await mirror.people.name(id, 'Speaker 2', 'Bob');
  }
  await account.put(talk('mem_a', 'zebra'));
  expect(await mirror.sync(client(), { recheck: 9 })).toMatchObject({ changed: 1, doubtfulNames: 0 });
  expect((await mirror.check()).damaged).toEqual([]);
  backup = await exported(mirror);
  await mirror.close();
});

beforeEach(() => {
  folder = makeFolder();
  cpSync(whole, folder, { recursive: true });
});

const right: Record<string, string> = { 'Speaker 1': 'Ada', 'Speaker 2': 'Bob' };
const database = (memoryId: string | null) => ({ memoryId, part: 'database', version: null, path: null });

/** Changes a decision as no mirror does, with a right checksum. */
function changeNaming(change: (naming: Naming, connection: DatabaseSync) => void): void {
  const connection = new DatabaseSync(join(folder, 'mirror.sqlite'));
  const naming = readNamings(connection, 'mem_a').find(({ label }) => label === 'Speaker 1');
  if (naming !== undefined) change(naming, connection);
  connection.close();
}

test.each([
  ['a name', "people SET name = 'Eve' WHERE name = 'Ada'", null],
  ['the person of a number', 'person_numbers SET person_key = 3 - person_key WHERE number = 1', null],
  ['the number of a decision', "namings SET number = 3 - number WHERE memory_id = 'mem_a'", 'mem_a'],
  ['the speaker of a decision', `namings SET label_now = '"Speaker 2"' WHERE memory_id = 'mem_a'`, 'mem_a'],
  ['the memory of a decision', "namings SET memory_id = 'mem_c' WHERE memory_id = 'mem_a'", 'mem_c'],
])('%s that was changed gives no speaker a wrong name, and a check finds it', async (_, change, memoryId) => {
  changeDatabase(folder, `UPDATE ${change}`);
  const mirror = await open();
  for (const id of ['mem_a', 'mem_b']) {
    for (const [label, name] of Object.entries((await mirror.getMemory(id))?.names ?? {}))
      expect(name).toBe(right[label]);
  }
  for (const { speaker, person } of (await mirror.search('first')).hits) {
    expect([null, right[speaker ?? '']]).toContain(person);
  }
  expect((await mirror.check()).damaged).toContainEqual(database(memoryId));
  // The right name exists nowhere else.
  expect((await mirror.repair(client())).lost).toEqual([database(memoryId)]);
  // The loss is reported once. Then the backup of the names brings it back.
  expect([await mirror.check(), (await mirror.repair(client())).lost]).toMatchObject([{ damaged: [] }, []]);
  await exported(mirror);
  await mirror.people.import(backup);
  for (const id of ['mem_a', 'mem_b']) expect({ ...(await mirror.getMemory(id))?.names }).toEqual(right);
  expect([await exported(mirror), (await mirror.check()).damaged]).toEqual([backup, []]);
  expect((await mirror.search('speaker:ada first')).hits.map(({ person }) => person)).toEqual(['Ada', 'Ada']);
});

test('a repair resolves a decision again that does not follow from the versions, with its marks in the index', async () => {
  changeNaming((naming, connection) => {
    writeNaming(connection, { ...naming, state: 'doubtful', labelNow: null });
    markSpeakers(connection, 'mem_a');
  });
  const mirror = await open();
  expect((await mirror.check()).damaged).toEqual([database('mem_a')]);
  expect(await mirror.repair(client())).toEqual({ requests: 0, repaired: 1, lost: [] });
  expect({ ...(await mirror.getMemory('mem_a'))?.names }).toEqual(right);
  expect((await mirror.search('speaker:ada zebra')).hits).toMatchObject([{ memoryId: 'mem_a', person: 'Ada' }]);
});

test('a repair writes marks of the index again that are not those of the names', async () => {
  changeNaming((naming, connection) => {
    writeNaming(connection, { ...naming, state: 'doubtful', labelNow: null });
    markSpeakers(connection, 'mem_a');
    writeNaming(connection, naming);
  });
  const mirror = await open();
  expect((await mirror.check()).damaged).toEqual([{ ...database(null), part: 'index' }]);
  expect(await mirror.repair(client())).toMatchObject({ repaired: 1, lost: [] });
  expect((await mirror.search('speaker:ada zebra')).hits).toMatchObject([{ memoryId: 'mem_a', person: 'Ada' }]);
});

test('a repair removes a change that cannot be undone, with those before it', async () => {
  const newest = 'change_key = (SELECT max(change_key) FROM people_changes)';
  changeDatabase(folder, `UPDATE people_changes SET before = replace(before, 'mem_b', 'mem_a') WHERE ${newest}`);
  const mirror = await open();
  await expect(mirror.people.undo()).rejects.toMatchObject({ code: 'damaged' });
  expect((await mirror.check()).damaged).toEqual([database(null)]);
  expect(await mirror.repair(client())).toMatchObject({ repaired: 1, lost: [] });
  expect(await mirror.people.undo()).toBe(false);
  expect({ ...(await mirror.getMemory('mem_b'))?.names }).toEqual(right);
});

test('a name stays certain in a check and a repair, although the version in which it was given is damaged', async () => {
  changeDatabase(folder, "UPDATE versions SET content = '{}' WHERE content LIKE '%walrus%'");
  const mirror = await open();
  const version = { memoryId: 'mem_a', part: 'version', version: 1, path: null };
  expect((await mirror.check()).damaged).toEqual([version]);
  expect(await mirror.repair(client())).toMatchObject({ lost: [version] });
  expect({ ...(await mirror.getMemory('mem_a'))?.names }).toEqual(right);
});
