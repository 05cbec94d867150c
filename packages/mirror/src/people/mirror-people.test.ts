import { beforeEach, describe, expect, test } from 'vitest';
import { openPeople, type Row, type TestPeople } from '../testing/open-people.ts';

let people: TestPeople;

beforeEach(async () => {
  people = await openPeople();
});

const talk: Row[] = [
  ['Speaker 1', 0, 10],
  ['Speaker 2', 10, 20],
];

const name = (label: string, person: string, options?: { me?: boolean }) =>
  people.mirror.people.name('mem_1', label, person, options);
const namesOf = async (memoryId = 'mem_1') => ({ ...(await people.mirror.getMemory(memoryId))?.names });
const list = () => people.mirror.people.list();
const certain = (person: string, isMe = false) => ({ name: person, isMe, memories: 1, doubtful: 0 });

describe('name', () => {
  beforeEach(() => people.say('mem_1', talk));

  test('names a speaker, and returns it with what it said', async () => {
    expect(await name('Speaker 2', 'Ada')).toEqual({
      ...{ label: 'Speaker 2', person: 'Ada', isMe: false, doubtful: [], segments: 1, duration: 10_000 },
      excerpts: [{ offset: 10_000, text: 'Speaker 2 says 10.' }],
    });
    expect(await people.mirror.getMemory('mem_1')).toMatchObject({ names: { 'Speaker 2': 'Ada' }, me: null });
    expect(await list()).toEqual([certain('Ada')]);
  });

  test('names that are equal when folded are one person, whose first spelling stays', async () => {
    await name('Speaker 1', 'Zoé');
    expect((await name('Speaker 2', 'ZOE')).person).toBe('Zoé');
    expect(await list()).toEqual([certain('Zoé')]);
  });

  test('names a speaker again, and removes people who are named nowhere', async () => {
    await name('Speaker 1', 'Ada');
    await name('Speaker 1', 'Bob');
    expect([await namesOf(), await list()]).toEqual([{ 'Speaker 1': 'Bob' }, [certain('Bob')]]);
  });

  test('marks one person as you, until another one is', async () => {
    expect((await name('Speaker 1', 'Ada', { me: true })).isMe).toBe(true);
    expect((await name('Speaker 1', 'Ada')).isMe).toBe(true);
    expect((await people.mirror.getMemory('mem_1'))?.me).toBe('Ada');
    await name('Speaker 2', 'Bob', { me: true });
    expect(await list()).toEqual([certain('Ada'), certain('Bob', true)]);
  });

  test('rejects a memory or a label that the mirror does not have', async () => {
    await expect(people.mirror.people.name('mem_9', 'Speaker 1', 'Ada')).rejects.toMatchObject({
      code: 'unknown_memory',
      message: 'Failed to name the speaker: the mirror has no memory "mem_9". Check the id, or sync the mirror.',
    });
    await expect(name('speaker 1', 'Ada')).rejects.toMatchObject({
      code: 'unknown_speaker',
      message:
        'Failed to name the speaker: the memory has no speaker "speaker 1". Its speakers are "Speaker 1", "Speaker 2".',
    });
    await people.say('mem_4', [['L'.repeat(3000), 1, 2]]);
    await expect(people.mirror.people.name('mem_4', 'K'.repeat(3000), 'Ada')).rejects.toMatchObject({
      message: `Failed to name the speaker: the memory has no speaker "${'K'.repeat(59)}…". Its speakers are "${'L'.repeat(59)}…".`,
    });
    const labels = Array.from({ length: 12 }, (_label, index) => `S${index}`);
    await people.say(
      'mem_2',
      labels.map((label): Row => [label, 1, 2]),
    );
    await expect(people.mirror.people.unname('mem_2', 'S')).rejects.toThrow(
      'Failed to remove the name: the memory has no speaker "S". Its speakers are "S0", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9" and 2 more.',
    );
    await people.say('mem_3', []);
    await expect(people.mirror.people.unname('mem_3', 'S')).rejects.toThrow(
      'Failed to remove the name: the memory has no transcript. Sync the mirror when the memory is processed.',
    );
    expect(await list()).toEqual([]);
  });
});

describe('speakers', () => {
  test('come in the order of first speech, each with its two longest turns in the order of speech', async () => {
    await people.say('mem_1', [
      ['B', 50, 55, 'Late.'],
      ['B', 0, 1, 'Short.'],
      ['A', 1, 5, `${'a'.repeat(118)}👩‍👩‍👧`],
      ['B', 5, 14, 'Two\u0007 segments'],
      ['B', 14, 20, 'of one turn.'],
      ['A', 20, 21, ' '],
    ]);
    expect(await people.mirror.people.speakers('mem_1')).toEqual([
      {
        ...{ label: 'B', person: null, isMe: false, doubtful: [], segments: 4, duration: 21_000 },
        excerpts: [
          { offset: 5_000, text: 'Two\ufffd segments of one turn.' },
          { offset: 50_000, text: 'Late.' },
        ],
      },
      {
        ...{ label: 'A', person: null, isMe: false, doubtful: [], segments: 2, duration: 5_000 },
        excerpts: [{ offset: 1_000, text: `${'a'.repeat(118)}…` }],
      },
    ]);
    await expect(people.mirror.people.speakers('mem_9')).rejects.toMatchObject({ code: 'unknown_memory' });
  });
});

describe('changes of people', () => {
  beforeEach(async () => {
    await people.say('mem_1', talk);
    await people.say('mem_2', talk);
  });

  const nameIn = (memoryId: string, label: string, person: string) =>
    people.mirror.people.name(memoryId, label, person);

  test('rename changes every memory, also to another spelling', async () => {
    await nameIn('mem_1', 'Speaker 1', 'Ada');
    await nameIn('mem_2', 'Speaker 2', 'Ada');
    expect(await people.mirror.people.rename('ADA', 'Ada Lovelace')).toEqual({
      ...certain('Ada Lovelace'),
      memories: 2,
    });
    expect([await namesOf('mem_1'), await namesOf('mem_2')]).toEqual([
      { 'Speaker 1': 'Ada Lovelace' },
      { 'Speaker 2': 'Ada Lovelace' },
    ]);
    expect((await people.mirror.people.rename('Ada Lovelace', 'ADA LOVELACE')).name).toBe('ADA LOVELACE');
  });

  test('rename never merges people', async () => {
    await nameIn('mem_1', 'Speaker 1', 'Ada');
    await nameIn('mem_1', 'Speaker 2', 'Bob');
    await expect(people.mirror.people.rename('bob', 'ADA')).rejects.toMatchObject({
      code: 'name_taken',
      message:
        'Failed to rename the person: there is a person "Ada" already. To make them one person, run memory-read people merge "Bob" "Ada".',
    });
    // A shell would run a part of such a name.
    await nameIn('mem_1', 'Speaker 2', '$(id)');
    await expect(people.mirror.people.rename('Ada', '$(id)')).rejects.toMatchObject({
      message: expect.stringMatching(
        / already\. To make them one person, run memory-read people merge with both names\.$/,
      ),
    });
    await people.mirror.people.undo();
    await expect(people.mirror.people.rename('Ida', 'Eva')).rejects.toMatchObject({
      code: 'unknown_person',
      message: 'Failed to rename the person: there is no person "Ida". List the people with memory-read people list.',
    });
    expect(await list()).toEqual([certain('Ada'), certain('Bob')]);
  });

  test('merge makes two people one under the name of the second', async () => {
    await people.mirror.people.name('mem_1', 'Speaker 1', 'Ada', { me: true });
    await nameIn('mem_1', 'Speaker 2', 'Bob');
    await nameIn('mem_2', 'Speaker 2', 'Bob');
    expect(await people.mirror.people.merge('Ada', 'bob')).toEqual({ ...certain('Bob', true), memories: 2 });
    expect(await list()).toEqual([{ ...certain('Bob', true), memories: 2 }]);
    expect(await namesOf()).toEqual({ 'Speaker 1': 'Bob', 'Speaker 2': 'Bob' });
    expect((await people.mirror.people.merge('Bob', 'BOB')).name).toBe('Bob');
    await expect(people.mirror.people.merge('Bob', 'Ada')).rejects.toMatchObject({ code: 'unknown_person' });
  });

  test('undo takes back one change after the other', async () => {
    const { people: mirror } = people.mirror;
    const states: unknown[] = [];
    const state = async () => [await list(), await namesOf(), await namesOf('mem_2')];
    const steps = [
      () => mirror.name('mem_1', 'Speaker 1', 'Ada', { me: true }),
      () => mirror.name('mem_1', 'Speaker 2', 'Bob'),
      () => mirror.name('mem_2', 'Speaker 1', 'Bob', { me: true }),
      () => mirror.rename('Bob', 'Bobby'),
      () => mirror.merge('Ada', 'Bobby'),
      () => mirror.name('mem_2', 'Speaker 2', 'Ada'),
      () => mirror.rename('Ada', 'ADA'),
      () => mirror.name('mem_1', 'Speaker 1', 'Carol'),
      () => mirror.unname('mem_1', 'Speaker 2'),
      () => mirror.unname('mem_2', 'Speaker 2'),
    ];
    for (const step of steps) {
      states.push(await state());
      await step();
    }
    for (const before of states.toReversed()) {
      expect(await mirror.undo()).toBe(true);
      expect(await state()).toEqual(before);
    }
    expect(await mirror.undo()).toBe(false);
    expect(await list()).toEqual([]);
  });

  test('undo knows the last 50 changes, and no change that changed nothing', async () => {
    await nameIn('mem_1', 'Speaker 1', 'Ada');
    for (let change = 1; change <= 50; change += 1)
      await people.mirror.people.rename('ada', change % 2 ? 'ADA' : 'Ada');
    expect(await people.mirror.people.unname('mem_1', 'Speaker 2')).toBe(false);
    let undone = 0;
    while (await people.mirror.people.undo()) undone += 1;
    expect([undone, await namesOf()]).toEqual([50, { 'Speaker 1': 'Ada' }]);
  });
});
