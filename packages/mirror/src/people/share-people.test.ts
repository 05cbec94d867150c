import { allOf } from '@memory-read/test-kit/all-of';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import fc from 'fast-check';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { isMirrorError } from '../errors/mirror-error.ts';
import { type Mirror, openMirror } from '../index.ts';
import { openPeople, type Row, type TestPeople } from '../testing/open-people.ts';
import { changeDatabase } from '../testing/own-database.ts';
import { filesWith } from '../testing/read-folder.ts';

let people: TestPeople;
let mirror: Mirror;

beforeEach(async () => {
  people = await openPeople();
  mirror = people.mirror;
  await people.say('mem_1', talk);
});

const talk: Row[] = [
  ['Speaker 1', 0, 10],
  ['Speaker 2', 10, 20],
];
const header = '{"format":"memory-read people","version":1}\n';
const none = { changed: 0, unchanged: 0, skipped: 0, waiting: 0, doubtful: 0 };

/** Opens a mirror of the same account in another folder, without memories yet. */
async function openOther() {
  const other = await openMirror({ folder: makeFolder(), clock: { now: () => new Date(people.clock.time) } });
  onTestFinished(() => other.close());
  return { other, sync: () => other.sync(people.account.clientOf('https://api.example.com'), { recheck: 10 }) };
}

const textOf = async (of: Mirror) => (await allOf(of.people.export())).join('');

function lineOf(fields: Record<string, unknown>): string {
  return `${header}${JSON.stringify(fields)}\n`;
}

const name = (label: string, person: string, options?: { me?: boolean }) =>
  mirror.people.name('mem_1', label, person, options);
const namesOf = async (of = mirror, id = 'mem_1') => ({ ...(await of.getMemory(id))?.names });
const peopleOf = async (of = mirror) => (await of.people.list()).map((person) => person.name);

test('a file has the decisions in the order of memory, label and words, and who you are', async () => {
  expect(await textOf(mirror)).toBe(header);
  await people.say('mem_10', [
    ['\uffff', 0, 1],
    ['\u{1f600}', 1, 2],
    ['__proto__', 2, 3],
    ['Zed', 3, 4],
  ]);
  for (const label of ['\uffff', '\u{1f600}', '__proto__', 'Zed']) await mirror.people.name('mem_10', label, 'Ada');
  await name('Speaker 2', 'Bob');
  await name('Speaker 1', 'Ada Lovelace', { me: true });
  people.clock.time += 300_000;
  await mirror.people.unname('mem_1', 'Speaker 2');
  const lines = (await textOf(mirror)).split('\n');
  expect(lines.slice(0, 2)).toEqual([header.trim(), '{"me":"Ada Lovelace"}']);
  expect(lines[2]).toBe(
    '{"memory":"mem_1","speaker":"Speaker 1","person":"Ada Lovelace","said":"sha256-x3AW4exEHi8KSxscVa997aZBu942pWlqCdf9nsdLqEs","at":"2026-11-23T12:02:00.000Z"}',
  );
  const decided = lines.slice(2, -1).map((line) => JSON.parse(line));
  expect(decided.map(({ memory, speaker, person, at }) => [memory, speaker, person, at])).toEqual([
    ['mem_1', 'Speaker 1', 'Ada Lovelace', '2026-11-23T12:02:00.000Z'],
    ['mem_1', 'Speaker 2', null, '2026-11-23T12:07:00.000Z'],
    ['mem_10', 'Zed', 'Ada', '2026-11-23T12:02:00.000Z'],
    ['mem_10', '__proto__', 'Ada', '2026-11-23T12:02:00.000Z'],
    ['mem_10', '\u{1f600}', 'Ada', '2026-11-23T12:02:00.000Z'],
    ['mem_10', '\uffff', 'Ada', '2026-11-23T12:02:00.000Z'],
  ]);
});

test('another mirror takes the names, waits for the memories, and exports the same bytes', async () => {
  await name('Speaker 1', 'Zoé', { me: true });
  await name('Speaker 2', 'Bob');
  await mirror.people.unname('mem_1', 'Speaker 2');
  const text = await textOf(mirror);
  const { other, sync } = await openOther();
  expect(await other.people.import(text)).toEqual({ ...none, changed: 2, waiting: 2 });
  expect(await textOf(other)).toBe(text);
  expect(await other.people.list()).toEqual([{ name: 'Zoé', isMe: true, memories: 0, doubtful: 0 }]);
  expect((await sync()).doubtfulNames).toBe(0);
  expect(await namesOf(other)).toEqual({ 'Speaker 1': 'Zoé' });
  expect((await other.search('speaker:zoe says')).hits).toMatchObject([{ speaker: 'Speaker 1', person: 'Zoé' }]);
  for (const each of [mirror, other]) {
    expect(await each.people.import(text)).toEqual({ ...none, unchanged: 2 });
    expect(await textOf(each)).toBe(text);
  }
});

test('names follow their speakers to the version of the other mirror, or are doubtful', async () => {
  await name('Speaker 1', 'Ada');
  await name('Speaker 2', 'Bob');
  const text = await textOf(mirror);
  const { other, sync } = await openOther();
  await people.say('mem_1', [
    ['A', 0, 10, 'Speaker 1 says 0.'],
    ['B', 10, 20, 'New.'],
  ]);
  await sync();
  expect(await other.people.import(text)).toEqual({ ...none, changed: 2, doubtful: 1 });
  expect(await namesOf(other)).toEqual({ A: 'Ada' });
  // Here the old words are known, although a newer version is there.
  await mirror.people.undo();
  await mirror.people.undo();
  people.clock.time += 1;
  const later = text.replaceAll(/"at":"[^"]*"/g, `"at":"${new Date(people.clock.time + 5).toISOString()}"`);
  expect(await mirror.people.import(later)).toEqual({ ...none, changed: 2 });
  expect(await namesOf()).toEqual({ A: 'Ada', B: 'Bob' });
});

test('the newer decision counts, also a removal, and an equally old one changes nothing', async () => {
  await name('Speaker 1', 'Ada');
  const [, line = ''] = (await textOf(mirror)).split('\n');
  const decision = JSON.parse(line) as { at: string };
  const at = (milliseconds: number) => new Date(Date.parse(decision.at) + milliseconds).toISOString();
  for (const older of [0, -1]) {
    expect(await mirror.people.import(lineOf({ ...decision, person: 'Bob', at: at(older) }))).toEqual({
      ...none,
      unchanged: 1,
    });
  }
  const both = [1, 3, 2].map((time) => JSON.stringify({ ...decision, person: `Bob ${time}`, at: at(time) }));
  expect(await mirror.people.import(`${header}${both.join('\n')}`)).toEqual({ ...none, changed: 1, unchanged: 2 });
  expect([await namesOf(), await peopleOf()]).toEqual([{ 'Speaker 1': 'Bob 3' }, ['Bob 3']]);
  expect(await mirror.people.import(lineOf({ ...decision, person: null, at: at(4) }))).toEqual({ ...none, changed: 1 });
  expect(await peopleOf()).toEqual([]);
  // A decision that is made here is newer than one of the future.
  await mirror.people.import(lineOf({ ...decision, person: 'Cy', at: '8999-12-31T23:59:59.999Z' }));
  await name('Speaker 1', 'Ada');
  expect(await textOf(mirror)).toContain('"person":"Ada"');
  expect(await textOf(mirror)).toContain('"at":"9000-01-01T00:00:00.000Z"');
});

test('lines without words and time are about the speakers of now', async () => {
  await name('Speaker 2', 'Bob');
  const text = [
    { memory: 'mem_1', speaker: 'Speaker 1', person: 'Ada' },
    { memory: 'mem_1', speaker: 'Speaker 2', person: null },
  ];
  const file = header + text.map((line) => JSON.stringify(line)).join('\n');
  people.clock.time += 1_000;
  expect(await mirror.people.import(file)).toEqual({ ...none, changed: 2 });
  const exported = await textOf(mirror);
  expect(exported.match(/2026-11-23T12:01:01.000Z/g)?.length).toBe(2);
  people.clock.time += 1_000;
  expect(await mirror.people.import(file)).toEqual({ ...none, unchanged: 2 });
  expect(await textOf(mirror)).toBe(exported);
  // A line with words only is decided now.
  const { at: _, ...decided } = JSON.parse(exported.split('\n')[1] ?? '');
  const now = lineOf({ ...decided, person: 'Eve' });
  expect(await mirror.people.import(now)).toEqual({ ...none, changed: 1 });
  expect(await mirror.people.import(now)).toEqual({ ...none, unchanged: 1 });
  expect(await namesOf()).toEqual({ 'Speaker 1': 'Eve' });
});

test('later lines without words know of earlier lines', async () => {
  await name('Speaker 1', 'Ada');
  const [, dated = ''] = (await textOf(mirror)).split('\n');
  const newer = dated.replace('Ada', 'Bob').replace(/"at":".{19}/, '"at":"2027-11-23T12:00:00');
  const byHand = (person: string | null) => JSON.stringify({ memory: 'mem_1', speaker: 'Speaker 1', person });
  expect(
    await mirror.people.import([header.trim(), byHand('Bob'), newer, byHand('Cy'), byHand(null)].join('\n')),
  ).toEqual({ ...none, changed: 3, unchanged: 1 });
  expect(await namesOf()).toEqual({});
});

test.each([
  ['Speaker 9', 'mem_1', 'line 3 has a speaker that the memory does not have. Correct the line.'],
  [
    'Speaker 1',
    'mem_9',
    'line 3 is about a memory that the mirror does not have. Sync the mirror, or add said to the line.',
  ],
])('a line about %s of %s of now is rejected, with all others', async (speaker, memory, problem) => {
  const file = `${lineOf({ memory: 'mem_1', speaker: 'Speaker 1', person: 'Bob' })}${JSON.stringify({ memory, speaker, person: 'Ada' })}`;
  await expect(mirror.people.import(file)).rejects.toMatchObject({
    code: 'invalid_file',
    message: `Failed to import the names: ${problem} Nothing was imported.`,
  });
  expect(await peopleOf()).toEqual([]);
});

test('the memories of a purge are skipped, and nothing of them is written', async () => {
  const id = 'mem_which_is_purged';
  await people.say(id, talk);
  const { other, sync } = await openOther();
  await sync();
  await other.people.name(id, 'Speaker 1', 'Nemo');
  await mirror.purge(id);
  expect(await mirror.people.import(await textOf(other))).toEqual({ ...none, skipped: 1 });
  const byHand = lineOf({ memory: id, speaker: 'Speaker 1', person: 'Nemo' });
  expect(await mirror.people.import(byHand)).toEqual({ ...none, skipped: 1 });
  expect([await textOf(mirror), await mirror.people.undo()]).toEqual([header, false]);
  for (const written of [id, 'Nemo']) expect(filesWith(people.folder, written)).toEqual([]);
});

test('an import marks you only if no person is you, or if you got another name', async () => {
  await name('Speaker 1', 'Bob', { me: true });
  await name('Speaker 2', 'Cy');
  const { other } = await openOther();
  await other.people.import(await textOf(mirror));
  people.clock.time += 1;
  await mirror.people.rename('Bob', 'Robert');
  await other.people.import(await textOf(mirror));
  expect(await textOf(other)).toBe(await textOf(mirror));
  await mirror.people.name('mem_1', 'Speaker 2', 'Cy', { me: true });
  await other.people.import(await textOf(mirror));
  expect((await other.people.list()).find(({ isMe }) => isMe)?.name).toBe('Robert');
  // A merge of two files has the lines of both. The first one counts.
  const { other: fourth } = await openOther();
  const text = (await textOf(mirror)).replace('{"me"', '{"me":"Robert"}\n{"me"');
  await fourth.people.import(text);
  expect((await fourth.people.list()).find(({ isMe }) => isMe)?.name).toBe('Robert');
  // The name of no person marks no person.
  const { other: third } = await openOther();
  expect(await third.people.import(`${header}{"me":"Zoé"}`)).toEqual(none);
  expect(await textOf(third)).toBe(header);
});

test('an import is one change, which undo takes back', async () => {
  await name('Speaker 1', 'Ada');
  const before = await people.mirror.people.list();
  const line = { memory: 'mem_2', speaker: 'Speaker 1', person: 'Eve', said: `sha256-${'x'.repeat(43)}` };
  await mirror.people.import(
    `${lineOf({ ...line, at: '2026-01-01T00:00:00Z' })}{"memory":"mem_1","speaker":"Speaker 1","person":"Bob"}`,
  );
  expect(await peopleOf()).toEqual(['Bob', 'Eve']);
  expect(await mirror.people.undo()).toBe(true);
  expect(await mirror.people.list()).toEqual(before);
});

test('after its import was undone, a file is imported again without the times', async () => {
  await name('Speaker 1', 'Ada');
  const { other, sync } = await openOther();
  await sync();
  const text = await textOf(mirror);
  await other.people.import(text);
  people.clock.time += 60_000;
  expect(await other.people.undo()).toBe(true);
  expect([await other.people.import(text), await namesOf(other)]).toEqual([{ ...none, unchanged: 1 }, {}]);
  const withoutTimes = text.replaceAll(/,"at":"[^"]*"/g, '');
  expect(await other.people.import(withoutTimes)).toEqual({ ...none, changed: 1 });
  expect(await namesOf(other)).toEqual({ 'Speaker 1': 'Ada' });
});

test('of two decisions with the same time, all mirrors take the same one, whatever the order', async () => {
  const { other, sync } = await openOther();
  await sync();
  await name('Speaker 1', 'Two');
  const two = await textOf(mirror);
  const [one, removal] = [two.replace('"Two"', '"One"'), two.replace('"Two"', 'null')];
  for (const texts of [
    [one, two, removal],
    [removal, two, one],
    [two, removal, one],
    [one + two.replace(header, '')],
  ]) {
    const { other: each } = await openOther();
    for (const text of texts) await each.people.import(text);
    expect(await textOf(each)).toBe(one);
  }
  await other.people.import(removal);
  expect(await other.people.import(two)).toMatchObject({ changed: 1 });
  expect(await other.people.import(removal)).toMatchObject({ changed: 0 });
});

test('a memory is read once for all its lines by hand', async () => {
  const labels = Array.from({ length: 300 }, (_, index) => `Speaker ${index}`);
  await people.say(
    'mem_1',
    labels.map((label, index): Row => [label, index, index + 1]),
  );
  const line = (speaker: string) => JSON.stringify({ memory: 'mem_1', speaker, person: `P ${speaker}` });
  const reads = vi.spyOn(JSON, 'parse');
  const file = `${header}${labels.map(line).join('\n')}`;
  expect(await mirror.people.import(file)).toEqual({ ...none, changed: 300 });
  const ofMemory = reads.mock.calls.filter(([text]) => text.length > 10_000).length;
  expect([ofMemory > 0, ofMemory < 10]).toEqual([true, true]);
  reads.mockRestore();
  expect(Object.keys(await namesOf())).toHaveLength(300);
  expect(await mirror.people.import(file)).toEqual({ ...none, unchanged: 300 });
});

test('a name is spelled as in the newest decision, and of two equally new spellings as in the first one', async () => {
  const { other, sync } = await openOther();
  await sync();
  const send = async (from: Mirror, to: Mirror) => {
    await to.people.import(await textOf(from));
    return peopleOf(to);
  };
  await name('Speaker 1', 'Ada');
  await other.people.name('mem_1', 'Speaker 1', 'ADA');
  expect([await send(mirror, other), await send(other, mirror)]).toEqual([['ADA'], ['ADA']]);
  people.clock.time += 1;
  await other.people.name('mem_1', 'Speaker 2', 'ADA');
  people.clock.time += 1;
  await mirror.people.rename('ADA', 'ada');
  expect([await send(other, mirror), await send(mirror, other)]).toEqual([['ada'], ['ada']]);
  expect(await namesOf()).toEqual({ 'Speaker 1': 'ada', 'Speaker 2': 'ada' });
});

test('two mirrors agree after they have exchanged their files, whatever was changed in both', async () => {
  const { other, sync } = await openOther();
  await sync();
  const mirrors = [mirror, other];
  const anyName = fc.constantFrom('Ada', 'ADA', 'Bob', 'Zoé', 'zoe');
  const step = fc.record({
    by: fc.nat({ max: 1 }),
    what: fc.constantFrom('name', 'unname', 'rename', 'merge', 'undo', 'exchange'),
    label: fc.constantFrom('Speaker 1', 'Speaker 2'),
    names: fc.tuple(anyName, anyName),
  });
  const exchange = async () => {
    await other.people.import(await textOf(mirror));
    await mirror.people.import(await textOf(other));
  };
  const play = async ({
    by,
    what,
    label,
    names: [first, second],
  }: typeof step extends fc.Arbitrary<infer Step> ? Step : never) => {
    const of = mirrors[by]?.people ?? mirror.people;
    people.clock.time += 1;
    try {
      if (what === 'name') await of.name('mem_1', label, first);
      else if (what === 'unname') await of.unname('mem_1', label);
      else if (what === 'rename') await of.rename(first, second);
      else if (what === 'merge') await of.merge(first, second);
      else if (what === 'undo') await of.undo();
      else await exchange();
    } catch (error) {
      if (!isMirrorError(error) || !['unknown_person', 'name_taken'].includes(error.code)) throw error;
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const each of steps) await play(each);
      await exchange();
      const text = await textOf(mirror);
      expect(await textOf(other)).toBe(text);
      expect(await namesOf(other)).toEqual(await namesOf());
      expect(await other.people.import(text)).toMatchObject({ changed: 0 });
    }),
    { numRuns: 40, seed: 20261127 },
  );
});

test('an error of the caller is that of the import, and nothing is imported', async () => {
  const lost = new TypeError('The stream was lost.');
  async function* broken() {
    yield lineOf({ memory: 'mem_1', speaker: 'Speaker 1', person: 'Ada' });
    throw lost;
  }
  await expect(mirror.people.import(broken())).rejects.toBe(lost);
  expect(await peopleOf()).toEqual([]);
});

test('a damaged name is reported after the others, and does not become a removal', async () => {
  await name('Speaker 1', 'Ada');
  await name('Speaker 2', 'Bob');
  const [, ada = ''] = (await textOf(mirror)).split('\n');
  changeDatabase(people.folder, "UPDATE people SET name = 'Eve' WHERE name = 'Bob'");
  const lines: string[] = [];
  const read = async () => {
    for await (const line of mirror.people.export()) lines.push(line);
  };
  await expect(read()).rejects.toMatchObject({
    code: 'damaged',
    message: 'Failed to export all names: 1 name is damaged in the mirror. Run memory-read mirror --repair.',
  });
  expect(lines).toEqual([header, `${ada}\n`]);
});
