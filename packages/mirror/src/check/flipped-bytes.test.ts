import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOf } from '@memory-read/test-kit/all-of';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { choicesOf } from '@memory-read/test-kit/random';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMirrorError, type Mirror, openMirror } from '../index.ts';
import { openAccount } from '../testing/open-account.ts';
import { type Row, spokenRecord } from '../testing/open-people.ts';

/** Positions of the file whose byte is changed. */
const POSITIONS = 200;
/** Positions near the names, which have few bytes. */
const NAME_POSITIONS = 60;
const FILE = 'mirror.sqlite';
const words = ['walrus', 'giraffe', 'zebra', 'quokka'];
/** Names of the speakers of the memories. */
const names = ['Ada Vicuna', 'Bob Narwhal'];
const ids = ['mem_0', 'mem_1', 'mem_2'];

const folder = makeFolder(afterAll);
let bytes: Buffer;

beforeAll(async () => {
  const account = await openAccount();
  const said = words.map((word, index): Row => {
    return [`Speaker ${index % 3}`, index, index + 1, `Said ${word} and the number ${index}. `.repeat(9)];
  });
  const put = (name: string) =>
    account.put(
      ...ids.map((id, index) => {
        const times = { started_at: `2026-08-2${index}T10:00:00Z`, ended_at: `2026-08-2${index}T11:00:00Z` };
        return spokenRecord(id, said, { name: `${name} ${index}`, ...times });
      }),
    );
  const mirror = await openMirror({ folder });
  for (const name of ['First', 'Second']) {
    await put(name);
    await mirror.sync(account.clientOf('https://api.example.com'));
  }
  for (const id of ids) {
    for (const [index, name] of names.entries()) await mirror.people.name(id, `Speaker ${index}`, name);
  }
  await mirror.close();
  bytes = readFileSync(join(folder, FILE));
});

/** Everything that a mirror returns, each call for itself, or the error of the call. */
async function readAll(mirror: Mirror): Promise<Map<string, unknown>> {
  const calls: [string, () => Promise<unknown>][] = [
    ['list', () => mirror.listMemories()],
    ['records', () => allOf(mirror.exportRecords())],
    ...ids.flatMap((id): [string, () => Promise<unknown>][] => [
      [`get ${id}`, () => mirror.getMemory(id)],
      [`history ${id}`, () => mirror.history(id)],
      [`earlier ${id}`, async () => mirror.getMemory(id, { asOf: (await mirror.history(id))[0]?.at })],
    ]),
    ['events', async () => (await mirror.events({ payload: 'transcript' })).events.filter(({ data }) => !data.omitted)],
    ['people', () => mirror.people.list()],
    ['doubts', () => mirror.people.doubts()],
    ...ids.map((id): [string, () => Promise<unknown>] => [`speakers ${id}`, () => mirror.people.speakers(id)]),
    ['exported', () => allOf(mirror.people.export())],
    ...[...words, 'name:first', 'walrus second', 'elephant', 'speaker:vicuna', 'said speaker:narwhal'].map(
      (query): [string, () => Promise<unknown>] => [`search ${query}`, async () => (await mirror.search(query)).hits],
    ),
  ];
  const results = new Map<string, unknown>();
  for (const [name, call] of calls) results.set(name, await call().catch((error: unknown) => error));
  return results;
}

test('a changed byte causes an error without words, or leaves out what a check names, and never changes what is returned', async () => {
  const original = await openMirror({ folder, readOnly: true });
  const expected = await readAll(original);
  await original.close();
  const copy = makeFolder();
  const { whole } = choicesOf('flipped bytes');
  const random = (limit: number) => whole(0, limit - 1);
  const near = ['Vicuna', 'vicuna', 'certain'].flatMap((text) => placesOf(text));
  expect(near.length).toBeGreaterThan(8);
  for (let count = 0; count < POSITIONS + NAME_POSITIONS; count += 1) {
    const position = count < POSITIONS ? random(bytes.length) : (near[random(near.length)] ?? 0) + random(110) - 90;
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ (1 + random(255));
    rmSync(copy, { recursive: true });
    mkdirSync(copy);
    writeFileSync(join(copy, FILE), changed);
    const at = `byte ${position}`;
    const mirror = await openMirror({ folder: copy, readOnly: true }).catch((error: unknown) => error);
    if (mirror instanceof Error) {
      expectNoWords(mirror, at);
      continue;
    }
    const opened = mirror as Mirror;
    let isLacking = false;
    for (const [name, result] of await readAll(opened)) {
      if (result instanceof Error) {
        expectNoWords(result, `${at}, ${name}`);
        continue;
      }
      const [found, whole] = [itemsOf(result), itemsOf(expected.get(name))];
      for (const item of found) expect(whole, `${at}, ${name}`).toContain(item);
      isLacking ||= found.length < whole.length;
    }
    if (isLacking) expect((await opened.check()).damaged, at).not.toEqual([]);
    await opened.close();
  }
});

/** Returns the places of a text in the file. */
function placesOf(text: string): number[] {
  const places: number[] = [];
  for (let place = bytes.indexOf(text); place >= 0; place = bytes.indexOf(text, place + 1)) places.push(place);
  return places;
}

/** Returns the items of a list as JSON, or the single item. A name is an item of its own, because it can be left out. */
function itemsOf(result: unknown): string[] {
  const { memories = result } = Object(result) as { memories?: unknown };
  return (Array.isArray(memories) ? memories : [memories]).flatMap((item) => {
    if (typeof item !== 'object' || item === null) return [JSON.stringify(item)];
    const { names: named = {}, person = null, me = null, memories: count, ...rest } = item as Record<string, unknown>;
    const own = Object.entries(Object(named)).map(([label, name]) => JSON.stringify([rest, label, name]));
    const others = [
      person === null ? [] : [JSON.stringify([rest, person])],
      me === null ? [] : [JSON.stringify([rest, 'me', me])],
    ];
    // A person is in fewer memories if a decision is damaged.
    const counted = Array.from({ length: Number(count ?? 0) }, (_, index) => JSON.stringify([rest, index]));
    return [JSON.stringify(rest), ...own, ...others.flat(), ...counted];
  });
}

function expectNoWords(error: unknown, at: string): void {
  expect(isMirrorError(error), `${at}: ${error}`).toBe(true);
  const { message, cause } = error as Error;
  for (const word of [...words, 'Vicuna', 'Narwhal'])
    expect(`${message} ${(cause as Error | undefined)?.message}`, at).not.toContain(word);
}

/** Returns a function that returns the same whole numbers below a limit in each run. */
