import { expect, test } from 'vitest';
import { checkPostgresSchema } from './check-postgres-schema.ts';
import { migratePostgresStore } from './migrate-postgres-store.ts';
import { schemaVersion, tables, upgrades } from './migrations.ts';
import { statements } from './statements.ts';

test.each(['40001', '40P01', '23505', '42P07', '42710'])('repeats an attempt that %s ends', async (code) => {
  const { pool, sent } = createFakePool({ failure: { sql: statements.insertVersion, code, times: 3 } });
  await migratePostgresStore({ pool });
  expect(sent.filter((sql) => sql === statements.begin)).toHaveLength(4);
  expect(sent.filter((sql) => sql === statements.commit)).toHaveLength(1);
  expect(sent).toEqual(expect.arrayContaining([...tables('TEXT')]));
});

test.each([
  ['a new database gets the newest tables without upgrades', 0, schemaVersion, tables('TEXT')],
  [
    ...([
      'an older database runs the upgrades from its version on, and creates no tables',
      1,
      upgrades.length,
    ] as const),
    upgrades.flatMap(({ steps }) => steps),
  ],
])('%s', async (_, version, inserted, steps) => {
  const { pool, sent } = createFakePool({ version });
  await migratePostgresStore({ pool });
  expect(sent.filter((sql) => sql === statements.insertVersion)).toHaveLength(inserted);
  const rest = [statements.putCompatibility, statements.commit, statements.compareIds];
  expect(sent.slice(sent.lastIndexOf(statements.insertVersion) + 1)).toEqual([...steps, ...rest]);
});

test('each upgrade is compatible with its own version or an older one, and with none that the upgrade before excluded', () => {
  const since = upgrades.map(({ compatibleSince }) => compatibleSince);
  expect(since).toEqual([...since].sort((a, b) => a - b));
  for (const [index, version] of since.entries()) expect(version).toBeLessThanOrEqual(index + 2);
});

const newer = 9;

test.each([null, schemaVersion + 1, newer])('rejects a newer version that is compatible since %s', async (since) => {
  const { pool, sent } = createFakePool({ version: newer, compatibleSince: since });
  for (const action of [migratePostgresStore, checkPostgresSchema]) {
    await expect(action({ pool, name: 'db' })).rejects.toMatchObject({
      code: 'newer_version',
      message: `Failed to use db: its schema has version 9, but this software supports only ${schemaVersion}. Update the software.`,
    });
  }
  expect(sent).not.toContain(statements.begin);
});

test('accepts a newer version that is compatible since this one, and does not change it', async () => {
  const { pool, sent } = createFakePool({ version: newer, compatibleSince: schemaVersion });
  for (const action of [migratePostgresStore, checkPostgresSchema]) await action({ pool });
  expect(sent).not.toContain(statements.begin);
});

test('the schema of an older version, and none, are not ready', async () => {
  const check = (version: number) => checkPostgresSchema({ pool: createFakePool({ version }).pool, name: 'db' });
  await expect(check(0)).rejects.toMatchObject({ code: 'not_migrated' });
  await expect(check(schemaVersion - 1)).rejects.toMatchObject({
    code: 'not_migrated',
    message:
      'Failed to use db: its tables are older than this software. Migrate them with migratePostgresStore, as memory-read does when it starts.',
  });
});

test('a database that counts bytes instead of characters is refused, and gets no tables', async () => {
  for (const version of [0, schemaVersion]) {
    const { pool, sent } = createFakePool({ version, characters: '4' });
    const refused = {
      code: 'wrong_encoding',
      message: 'Failed to use db: its encoding does not support all of Unicode. Use a database with the encoding UTF8.',
    };
    await expect(migratePostgresStore({ pool, name: 'db' })).rejects.toMatchObject(refused);
    expect(sent).not.toContain(statements.commit);
    if (version > 0) await expect(checkPostgresSchema({ pool, name: 'db' })).rejects.toMatchObject(refused);
  }
});

test('gives up after 20 attempts', async () => {
  const { pool, sent } = createFakePool({ failure: { sql: statements.insertVersion, code: '40001', times: Infinity } });
  await expect(migratePostgresStore({ pool })).rejects.toMatchObject({ code: 'conflict' });
  expect(sent.filter((sql) => sql === statements.begin)).toHaveLength(20);
});

test('does not repeat an attempt that fails for another reason', async () => {
  const failure = { sql: statements.createVersions, code: '42501', times: Infinity };
  const { pool, sent } = createFakePool({ failure });
  const message = expect.stringMatching(
    /^Failed to use db: its tables are missing, and the user may not create them \([\s\S]+\)\. Check the name of the /,
  );
  await expect(migratePostgresStore({ pool, name: 'db' })).rejects.toMatchObject({ code: 'not_permitted', message });
  expect(sent.filter((sql) => sql === statements.begin)).toHaveLength(1);
});

interface FakeDatabase {
  /** Schema version of the database. Default: 0, a new database. */
  version?: number;
  /** The oldest version whose software supports this schema. */
  compatibleSince?: number | null;
  /** Number of characters that the database counts in one. Default: 1. */
  characters?: string;
  /** A statement that fails this many times. */
  failure?: { sql: string; code: string; times: number };
}

function createFakePool({ version = 0, compatibleSince = null, characters = '1', failure }: FakeDatabase = {}) {
  const sent: string[] = [];
  let hasVersions = version > 0;
  async function query(sql: string) {
    sent.push(sql);
    if (sql === failure?.sql && failure.times > 0) {
      failure.times -= 1;
      throw Object.assign(new Error(`${sql} failed`), { code: failure.code });
    }
    if (sql === statements.createVersions) hasVersions = true;
    if (sql === statements.compareText || sql === statements.compareIds) return { rows: [{ is_before: 'true' }] };
    if (sql === statements.readCompatibility)
      return { rows: [{ compatible_since: compatibleSince === null ? null : String(compatibleSince) }] };
    if (sql !== statements.readVersion) return { rows: [] };
    if (!hasVersions) throw Object.assign(new Error('no such table'), { code: '42P01' });
    return { rows: [{ version: String(version), characters }] };
  }
  return { sent, pool: { query, connect: async () => ({ query, release() {} }) } };
}
