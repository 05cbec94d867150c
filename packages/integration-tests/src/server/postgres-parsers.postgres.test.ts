import { checkPostgresSchema, createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { listAll } from '@memory-read/test-kit/memory-service';
import { createTestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { sampleRecords } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';

type Parse = (text: string) => unknown;

/** Results that compare as different with `===`, such as those of libraries for decimals, large numbers and dates. */
class Parsed {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  /** As a library does that prints a number in its own way. */
  toString() {
    return `${this.constructor.name}(${this.#text.length})`;
  }
}

/** The types of PostgreSQL by their number: those of numbers, and those of booleans, times, JSON and `varchar`. */
const numbers = [20, 21, 23, 26, 700, 701, 1700];
const others = [16, 114, 1043, 1082, 1114, 1184, 3802];

test.each<[string, Parse, Parse]>([
  ['numbers and booleans', Number, (text) => text === 't'],
  ['big integers, and numbers for booleans', BigInt, (text) => (text === 't' ? 1 : 0)],
  ['strings', String, String],
  ['objects', (text) => new Parsed(text), (text) => new Parsed(text)],
  ['plain objects', (value) => ({ value }), (value) => ({ value })],
  ['undefined', () => undefined, () => undefined],
])('every method has the same results with parsers that return %s', async (_, parseNumber, parseOther) => {
  const schema = await createTestSchema();
  const asUsual = schema.createPool();
  const parserOf = (type: number) =>
    numbers.includes(type) ? parseNumber : others.includes(type) ? parseOther : String;
  const pool = schema.createPool({ types: { getTypeParser: parserOf } });
  await migratePostgresStore({ pool });
  await migratePostgresStore({ pool });
  await checkPostgresSchema({ pool });
  const [store, usual] = [createPostgresStore({ pool }), createPostgresStore({ pool: asUsual })];
  await store.putAccount({ userId: 'ada', name: 'Ada' });
  expect(await store.findAccount('ada')).toEqual({ userId: 'ada', name: 'Ada' });

  const records = Array.from(sampleRecords(450), (record, index) =>
    index % 2 ? record : { ...record, is_processing: true, transcript: null, summary: null },
  );
  expect(await store.putMemories('ada', records)).toBe(450);
  expect(await store.finishProcessing('ada', records[0]?.id ?? '', { transcript: null, summary: null })).toBe(true);
  const listed = await listAll(store, 'ada');
  expect(listed).toHaveLength(450);
  expect(listed).toEqual(await listAll(usual, 'ada'));
  expect(listed.filter((memory) => memory.is_processing === true)).toHaveLength(224);
  for (const { id, is_processing } of records.slice(1, 3)) {
    const memory = await store.getMemory({ userId: 'ada', memoryId: id });
    expect(memory).toMatchObject({ is_processing });
    expect(memory).toEqual(await usual.getMemory({ userId: 'ada', memoryId: id }));
  }

  const list = store.listMemories({ userId: 'ada' })[Symbol.asyncIterator]();
  await list.next();
  await store.putMemories('ada', [{ ...(records[449] ?? expect.unreachable()), started_at: '2030-01-01T00:00:00Z' }]);
  const rest = async () => {
    while (!(await list.next()).done);
  };
  await expect(rest()).rejects.toMatchObject({ code: 'memories_moved' });

  const keys = Array.from({ length: 3 }, (_, index) => ({
    keyId: `key${index}`,
    keyHash: String(index).repeat(64),
    userId: 'ada',
    ...(index > 0 && { expiresAt: new Date(1_900_000_000_000 + index), createdAt: new Date(index), label: 'laptop' }),
  }));
  for (const key of keys) await store.putApiKey(key);
  expect(await store.revokeApiKey('key2')).toBe(true);
  const expected = keys.map(({ keyHash: _hash, ...key }) => ({ ...key, active: key.keyId !== 'key2' }));
  expect(await store.listApiKeys()).toEqual(expected);
  expect(await store.listApiKeys('ada')).toEqual(expected);
  expect(await store.findApiKey('1'.repeat(64))).toEqual(expected[1]);

  await asUsual.query('INSERT INTO memory_read_versions (version, compatible_since) VALUES (100, 1)');
  await checkPostgresSchema({ pool });
  await asUsual.query('UPDATE memory_read_versions SET compatible_since = 100 WHERE version = 100');
  await expect(checkPostgresSchema({ pool })).rejects.toMatchObject({ code: 'newer_version' });
});
