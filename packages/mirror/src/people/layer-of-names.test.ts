import { allOf } from '@memory-read/test-kit/all-of';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Mirror } from '../index.ts';
import { openPeople, type Row, type TestPeople } from '../testing/open-people.ts';
import { readRow } from '../testing/own-database.ts';

let people: TestPeople;

beforeEach(async () => {
  people = await openPeople();
});

const talk: Row[] = [
  ['Speaker 1', 0, 10, 'The kite flies.'],
  ['Speaker 2', 10, 20, 'Which kite?'],
  ['Speaker 1', 20, 30, 'The red kite.'],
];

/** Changes names in every way. */
async function changeNames({ people: names }: Mirror): Promise<void> {
  await names.name('mem_1', 'Speaker 1', 'Ada', { me: true });
  await names.name('mem_1', 'Speaker 2', 'Bob');
  await names.name('mem_2', 'Speaker 2', 'Carol');
  await names.rename('Bob', 'Bobby');
  await names.merge('Carol', 'Ada');
}

describe('the layer of names', () => {
  beforeEach(async () => {
    await people.say('mem_1', talk);
    await people.say('mem_2', talk);
    await people.say('mem_1', talk, { name: 'Renamed' });
  });

  test('changes no record, no version and no event', async () => {
    const read = async () => {
      const memories = await Promise.all(['mem_1', 'mem_2'].map((id) => people.mirror.getMemory(id)));
      const rows = ['versions', 'events', 'memories', 'units'].map((table) =>
        readRow(people.folder, `SELECT json_group_array(json_array(${columns[table]})) AS rows FROM ${table}`),
      );
      return JSON.stringify([
        await allOf(people.mirror.exportRecords()),
        memories.map((each) => [each?.memory, each?.version]),
        rows,
        await people.mirror.history('mem_1'),
      ]);
    };
    const columns: Record<string, string> = {
      ...{ versions: 'version_key, content, sha256', events: 'memory_key, version, at, fields' },
      ...{ memories: 'memory_key, current_version, indexed_version, last_event', units: 'unit_key, text, segments' },
    };
    const before = await read();
    await changeNames(people.mirror);
    expect(await read()).toBe(before);
  });
});

describe('several hands', () => {
  test('names during a sync and in another process are kept, and the later one counts', async () => {
    await people.say('mem_1', talk);
    const other = await people.open();
    // The sync of the mirror waits for the details of another memory, while the other one names.
    let named: Promise<unknown> | undefined;
    people.account.change = (memory, isListed) => {
      if (!isListed) named ??= changeBoth();
      return memory;
    };
    const changeBoth = async () => {
      await other.people.name('mem_1', 'Speaker 1', 'Ada');
      await people.mirror.people.name('mem_1', 'Speaker 2', 'Bob');
      await other.people.name('mem_1', 'Speaker 2', 'Carol');
    };
    const { failed } = await people.say('mem_2', talk);
    await named;
    expect(failed).toEqual([]);
    expect({ ...(await people.mirror.getMemory('mem_1'))?.names }).toEqual({
      'Speaker 1': 'Ada',
      'Speaker 2': 'Carol',
    });
    expect(await other.people.list()).toEqual(await people.mirror.people.list());
    expect(await people.mirror.people.undo()).toBe(true);
    expect({ ...(await other.getMemory('mem_1'))?.names }).toEqual({ 'Speaker 1': 'Ada', 'Speaker 2': 'Bob' });
  });

  test('a mirror that is open for reading refuses each change first, and sees the names of others at once', async () => {
    await people.say('mem_1', talk);
    const reader = await people.open({ readOnly: true });
    await people.mirror.people.name('mem_1', 'Speaker 1', 'Ada');
    const before = readRow(people.folder, 'SELECT count(*) AS rows FROM people_changes');
    const { people: names } = reader;
    const changes = [
      () => names.name('mem_9', 'x', ''),
      () => names.unname('mem_9', 'x'),
      () => names.rename('x', ''),
      () => names.merge('x', 'y'),
      () => names.forget('x'),
      () => names.undo(),
      () => names.import('x'),
    ];
    for (const change of changes) await expect(change(), String(change)).rejects.toMatchObject({ code: 'read_only' });
    expect(readRow(people.folder, 'SELECT count(*) AS rows FROM people_changes')).toEqual(before);
    const read = async (mirror: Mirror) => [
      await mirror.people.list(),
      await mirror.people.speakers('mem_1'),
      await mirror.people.doubts(),
      (await mirror.search('speaker:ada kite')).hits,
      await allOf(mirror.people.export()),
    ];
    expect(await read(reader)).toEqual(await read(people.mirror));
    await people.mirror.people.undo();
    expect(await read(reader)).toEqual(await read(people.mirror));
  });
});
