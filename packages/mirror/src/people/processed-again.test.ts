import { beforeEach, describe, expect, test } from 'vitest';
import { openPeople, type Row, type TestPeople } from '../testing/open-people.ts';
import { changeDatabase } from '../testing/own-database.ts';

let people: TestPeople;

beforeEach(async () => {
  people = await openPeople();
});

const talk: Row[] = [
  ['Speaker 1', 0, 60],
  ['Speaker 2', 60, 100],
];
/** Two voices became one. */
const merged: Row[] = [['Speaker 1', 0, 100]];
/** The same labels for others. */
const swapped: Row[] = [
  ['Speaker 2', 0, 59],
  ['Speaker 1', 59, 100],
];

const name = (label: string, person: string) => people.mirror.people.name('mem_1', label, person);
const namesAt = async (asOf?: number) => {
  const memory = await people.mirror.getMemory('mem_1', asOf === undefined ? {} : { asOf: new Date(asOf) });
  return memory && { ...memory.names };
};
const doubts = async () =>
  (await people.mirror.people.doubts()).map(({ person, label, likely }) => [person, label, likely]);
const byHand = (speaker: string, person: string | null) =>
  `{"format":"memory-read people","version":1}\n${JSON.stringify({ memory: 'mem_1', speaker, person })}`;
const list = async () =>
  (await people.mirror.people.list()).map(({ name, memories, doubtful }) => [name, memories, doubtful]);

test('a name follows its speaker, whatever the label is called now', async () => {
  await people.say('mem_1', talk);
  await name('Speaker 1', 'Ada');
  await name('Speaker 2', 'Bob');
  const before = people.clock.time;
  expect((await people.say('mem_1', swapped)).doubtfulNames).toBe(0);
  expect(await namesAt()).toEqual({ 'Speaker 2': 'Ada', 'Speaker 1': 'Bob' });
  expect(await namesAt(before)).toEqual({ 'Speaker 1': 'Ada', 'Speaker 2': 'Bob' });
  const { memories } = await people.mirror.listMemories();
  expect(memories.map(({ names }) => ({ ...names }))).toEqual([{ 'Speaker 2': 'Ada', 'Speaker 1': 'Bob' }]);
});

test('a doubtful name is reported once, shown nowhere, and settled by naming again', async () => {
  await people.say('mem_1', talk);
  await name('Speaker 1', 'Ada');
  await name('Speaker 2', 'Bob');
  const before = people.clock.time;
  expect((await people.say('mem_1', merged)).doubtfulNames).toBe(2);
  expect(people.doubts).toHaveLength(2);
  expect(people.doubts).toEqual(
    expect.arrayContaining([
      { type: 'doubt', memoryId: 'mem_1', label: 'Speaker 1', person: 'Ada' },
      { type: 'doubt', memoryId: 'mem_1', label: 'Speaker 2', person: 'Bob' },
    ]),
  );
  expect([await namesAt(), await namesAt(before)]).toEqual([{}, { 'Speaker 1': 'Ada', 'Speaker 2': 'Bob' }]);
  expect((await doubts()).sort()).toEqual([
    ['Ada', 'Speaker 1', 'Speaker 1'],
    ['Bob', 'Speaker 2', 'Speaker 1'],
  ]);
  expect(await list()).toEqual([
    ['Ada', 0, 1],
    ['Bob', 0, 1],
  ]);
  const [speaker] = await people.mirror.people.speakers('mem_1');
  expect([speaker?.person, speaker?.doubtful]).toEqual([null, ['Ada', 'Bob']]);

  // Another change of the same memory does not report the doubt again.
  expect((await people.say('mem_1', merged, { name: 'Renamed' })).doubtfulNames).toBe(0);
  expect(await people.mirror.people.doubts()).toMatchObject([{ name: 'Renamed' }, { name: 'Renamed' }]);

  await name('Speaker 1', 'Bob');
  expect([await namesAt(), await doubts(), await list()]).toEqual([{ 'Speaker 1': 'Bob' }, [], [['Bob', 1, 0]]]);
});

test('naming drops the doubtful names that were given to the label', async () => {
  await people.say('mem_1', talk);
  await name('Speaker 1', 'Ada');
  await people.say('mem_1', [
    ['Speaker 1', 0, 20],
    ['Speaker 2', 20, 60],
    ['Speaker 3', 60, 100],
  ]);
  expect(await doubts()).toEqual([['Ada', 'Speaker 1', 'Speaker 2']]);
  await name('Speaker 1', 'Carol');
  expect([await namesAt(), await doubts(), await list()]).toEqual([{ 'Speaker 1': 'Carol' }, [], [['Carol', 1, 0]]]);
  await people.mirror.people.undo();
  expect([await namesAt(), await doubts()]).toEqual([{}, [['Ada', 'Speaker 1', 'Speaker 2']]]);
});

describe('a doubtful name at a label', () => {
  /** Ada was named at a label that is no longer there, or not at the likely one, or she has no likely one. */
  const cases: [what: string, label: string, now: Row[], at: string][] = [
    ['likely', 'Speaker 2', [['Speaker 1', 0, 100]], 'Speaker 1'],
    ['given', 'Speaker 1', swapped.toSpliced(0, 1, ['Speaker 2', 0, 40], ['Speaker 1', 40, 59]), 'Speaker 1'],
    [
      'without a likely one',
      'Speaker 1',
      [0, 1, 2].map((index) => [`Speaker ${index}`, index * 20, index * 20 + 20]),
      'Speaker 1',
    ],
  ];

  test.each(cases)('is dropped by another name and by a removal: %s', async (_, label, now, at) => {
    await people.say('mem_1', talk);
    await name(label, 'Ada');
    await people.say('mem_1', now);
    expect(await list()).toEqual([['Ada', 0, 1]]);
    await name(at, 'Carol');
    expect([await namesAt(), await list()]).toEqual([{ [at]: 'Carol' }, [['Carol', 1, 0]]]);
    await people.mirror.people.undo();
    expect(await list()).toEqual([['Ada', 0, 1]]);
    expect(await people.mirror.people.unname('mem_1', at)).toBe(true);
    expect(await list()).toEqual([]);
    expect(await people.mirror.people.unname('mem_1', at)).toBe(false);
    await people.mirror.people.undo();
    expect(await people.mirror.people.import(byHand(at, null))).toMatchObject({ changed: 1 });
    expect(await list()).toEqual([]);
  });

  test('is removed also if the label is no longer there', async () => {
    await people.say('mem_1', talk);
    await name('Speaker 2', 'Ada');
    await people.say('mem_1', merged);
    expect(await people.mirror.people.unname('mem_1', 'Speaker 2')).toBe(true);
    expect(await list()).toEqual([]);
    await expect(people.mirror.people.unname('mem_1', 'Speaker 2')).rejects.toMatchObject({ code: 'unknown_speaker' });
  });

  test('is settled by a line of a file, although the speaker has that name', async () => {
    await people.say('mem_1', talk);
    await name('Speaker 2', 'Ada');
    await people.say('mem_1', merged);
    const file = byHand('Speaker 1', 'Ada');
    expect(await people.mirror.people.import(file)).toMatchObject({ changed: 1 });
    expect([await namesAt(), await doubts()]).toEqual([{ 'Speaker 1': 'Ada' }, []]);
    expect(await people.mirror.people.import(file)).toMatchObject({ changed: 0, unchanged: 1 });
  });
});

test('small changes do not add up: each version is compared with the one that a person saw', async () => {
  const cut = (seconds: number): Row[] => [
    ['Speaker 1', 0, seconds],
    ['Speaker 2', seconds, 200],
  ];
  await people.say('mem_1', cut(100));
  await name('Speaker 1', 'Ada');
  await people.say('mem_1', cut(90));
  expect(await namesAt()).toEqual({ 'Speaker 1': 'Ada' });
  await people.say('mem_1', cut(79));
  expect([await namesAt(), await doubts()]).toEqual([{}, [['Ada', 'Speaker 1', 'Speaker 1']]]);
  // The words of then are those of a person again.
  await people.say('mem_1', cut(100));
  expect([await namesAt(), await doubts()]).toEqual([{ 'Speaker 1': 'Ada' }, []]);
});

describe('a version without words', () => {
  test.each([[[]], [[['Speaker 1', 0, 60, '…']]]] as Row[][][])('takes no name along: %j', async (rows) => {
    await people.say('mem_1', talk);
    await name('Speaker 1', 'Ada');
    const { doubtfulNames } = await people.say('mem_1', rows);
    expect([doubtfulNames, await namesAt(), await list()]).toEqual([0, {}, [['Ada', 1, 0]]]);
    const { memories } = await people.mirror.listMemories();
    expect(memories.map(({ names }) => ({ ...names }))).toEqual([{ 'Speaker 1': 'Ada' }]);
    const [speaker] = await people.mirror.people.speakers('mem_1');
    expect([speaker?.label, speaker?.person]).toEqual(['Speaker 1', 'Ada']);
    await people.say('mem_1', swapped);
    expect(await namesAt()).toEqual({ 'Speaker 2': 'Ada' });
  });
});

test('two people on one label are doubtful until they are one person', async () => {
  await people.say('mem_1', [
    ['Speaker 1', 0, 10],
    ['Speaker 2', 0, 10],
  ]);
  await name('Speaker 1', 'Ada');
  await name('Speaker 2', 'Bob');
  await people.say('mem_1', [['Speaker 3', 0, 10]]);
  expect([await namesAt(), await list()]).toEqual([
    {},
    [
      ['Ada', 0, 1],
      ['Bob', 0, 1],
    ],
  ]);
  await people.mirror.people.merge('Ada', 'Bob');
  expect([await namesAt(), await list(), await doubts()]).toEqual([{ 'Speaker 3': 'Bob' }, [['Bob', 1, 0]], []]);
  expect((await people.mirror.search('says', { speaker: 'Bob' })).hits).toMatchObject([{ person: 'Bob' }]);
  await people.mirror.people.undo();
  expect([await namesAt(), (await doubts()).length]).toEqual([{}, 2]);
  expect((await people.mirror.search('says', { speaker: 'Bob' })).hits).toEqual([]);
});

test('a name is doubtful again if an undone merge makes another old speaker another person', async () => {
  await people.say('mem_1', [
    ['Speaker 1', 0, 10],
    ['Speaker 2', 2.1, 12.1, 'The same.'],
  ]);
  await name('Speaker 1', 'Ada');
  await name('Speaker 2', 'Bob');
  await people.say('mem_1', [
    ['Speaker 3', 1, 11.1],
    ['Speaker 4', 2.1, 12.1, 'The same.'],
  ]);
  const doubt = ['Ada', 'Speaker 1', null];
  expect([await namesAt(), await doubts()]).toEqual([{ 'Speaker 4': 'Bob' }, [doubt]]);
  await people.mirror.people.merge('Ada', 'Bob');
  expect(await namesAt()).toEqual({ 'Speaker 3': 'Bob', 'Speaker 4': 'Bob' });
  await people.mirror.people.undo();
  expect([await namesAt(), await doubts()]).toEqual([{ 'Speaker 4': 'Bob' }, [doubt]]);
});

test('a row of the names that is damaged names no person, and is not made whole by a change', async () => {
  await people.say('mem_1', talk);
  await name('Speaker 1', 'Ada');
  await name('Speaker 2', 'Bob');
  for (const [table, column, was, is] of [
    ['namings', 'label_now', '"Speaker 1"', '"Speaker 2"'],
    ['person_numbers', 'person_key', 1, 2],
    ['people', 'name', 'Ada', 'Ida'],
  ] as const) {
    const change = (before: string | number, after: string | number) =>
      changeDatabase(
        people.folder,
        `UPDATE ${table} SET ${column} = ? WHERE ${column} = ? AND rowid = 1`,
        after,
        before,
      );
    change(was, is);
    expect(await namesAt(), table).toEqual({ 'Speaker 2': 'Bob' });
    await people.mirror.people.rename('Bob', 'Bobby');
    await people.mirror.people.merge('Bobby', 'bobby');
    await people.say('mem_1', swapped);
    expect(await namesAt(), table).toEqual({ 'Speaker 1': 'Bobby' });
    await people.say('mem_1', talk);
    await people.mirror.people.rename('Bobby', 'Bob');
    change(is, was);
    expect(await namesAt(), table).toEqual({ 'Speaker 1': 'Ada', 'Speaker 2': 'Bob' });
  }
  changeDatabase(people.folder, "UPDATE people_changes SET before = replace(before, 'Bobby', 'Robby')");
  await expect(people.mirror.people.undo()).rejects.toMatchObject({ code: 'damaged' });
  changeDatabase(people.folder, "UPDATE people SET name = 'Ida' WHERE name = 'Ada'");
  await expect(name('Speaker 2', 'ada')).rejects.toMatchObject({ code: 'damaged' });
});
