import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { isMirrorError, type Mirror, type OpenMirrorOptions, openMirror } from '../index.ts';
import { audio, openAccount, saidRecord, type TestAccount } from '../testing/open-account.ts';
import { openForTest } from '../testing/open-for-test.ts';
import { changeDatabase, readRow } from '../testing/own-database.ts';

const secret = 'walrus';
/** Values that no mirror writes, by the type of a column. */
const values: Record<string, (bigint | string | Uint8Array)[]> = {
  INTEGER: [2n ** 63n - 1n, 8_640_000_000_000_001n],
  TEXT: ['a\0b', '[{"toString":1,"valueOf":1},"a\\u0000b",5,null]'],
  BLOB: [new Uint8Array()],
};

let account: TestAccount;
const whole = makeFolder(afterAll);
let base: string;

const client = () => account.clientOf('https://api.example.com');
const formats = ['srt', 'json', 'markdown'] as const;

type Calls = Record<string, (mirror: Mirror) => Promise<unknown>>;

/** Methods that only read, and stand for the others: these read the rows in the same way. */
const readers: Calls = {
  listMemories: (mirror) => mirror.listMemories(),
  getMemory: (mirror) => mirror.getMemory('mem_a'),
  'getMemory with asOf': (mirror) => mirror.getMemory('mem_a', { asOf: new Date() }),
  history: (mirror) => mirror.history('mem_a'),
  events: (mirror) => mirror.events({ payload: 'transcript' }),
  listSinks: (mirror) => mirror.listSinks(),
  listDeliveries: (mirror) => mirror.listDeliveries('default'),
  search: (mirror) => mirror.search(secret),
  'search without hits': (mirror) => mirror.search(`${secret} nothing`),
  listExports: (mirror) => mirror.listExports(),
  exportRecords: async (mirror) => {
    for await (const { id } of mirror.exportRecords()) expect(id).toMatch(/./);
  },
  'a dry run': (mirror) => mirror.exportFiles(join(base, 'e'), { formats, media: true, dryRun: true }),
  check: (mirror) => mirror.check(),
  speakers: (mirror) => mirror.people.speakers('mem_a'),
  people: (mirror) => mirror.people.list(),
  doubts: (mirror) => mirror.people.doubts(),
  'people.export': async (mirror) => {
    for await (const line of mirror.people.export()) expect(line).toMatch(/./);
  },
};

/** Every method of a mirror, the one that removes last. */
const calls: Calls = {
  ...readers,
  exportFiles: (mirror) => mirror.exportFiles(join(base, 'e'), { formats, media: true }),
  writePages: (mirror) => mirror.writePages(),
  sync: (mirror) => mirror.sync(client(), { media: true, recheck: 10 }),
  backup: (mirror) => mirror.backup(join(base, 'backup')),
  deliver: (mirror) => mirror.deliver('default', () => {}),
  replay: async (mirror) => mirror.replay('default', [(await mirror.events()).cursor ?? '']),
  resumeSink: (mirror) => mirror.resumeSink('default'),
  removeSink: (mirror) => mirror.removeSink('default'),
  rename: (mirror) => mirror.people.rename('Ada', 'Carol'),
  merge: (mirror) => mirror.people.merge('Bob', 'Carol'),
  undo: (mirror) => mirror.people.undo(),
  unname: (mirror) => mirror.people.unname('mem_a', 'Speaker 1'),
  name: (mirror) => mirror.people.name('mem_a', 'Speaker 1', 'Eve'),
  'people.import': (mirror) => mirror.people.import(file),
  forget: (mirror) => mirror.people.forget('Bob'),
  repair: (mirror) => mirror.repair(client()),
  purge: (mirror) => mirror.purge('mem_a'),
};

beforeAll(async () => {
  account = await openAccount();
  const words = (id: string) => {
    const record = saidRecord(id, [`The ${secret}.`, 'Yes.'], { name: `My ${secret}`, media: audio });
    for (const segment of record.transcript?.segments.slice(1) ?? []) segment.speaker = 'Speaker 2';
    return record;
  };
  await account.put(words('mem_a'), words('mem_c'));
  const mirror = await openMirror({ folder: join(whole, 'm') });
  await mirror.sync(client(), { media: true });
  await mirror.writePages({ timeZone: 'UTC' });
  await mirror.exportFiles(join(whole, 'e'), { formats: ['srt'], media: true, timeZone: 'UTC' });
  await mirror.purge('mem_c');
  await mirror.deliver('default', () => Promise.reject(new Error('refused')));
  await mirror.people.name('mem_a', 'Speaker 1', 'Ada', { me: true });
  await mirror.people.name('mem_a', 'Speaker 2', 'Bob');
  await mirror.close();
  const sql = `INSERT INTO pending_purges VALUES (9, 'media/0123456789abcdef01234567', '["pages/x.md"]', '["/x"]');
    INSERT INTO forgotten_files VALUES (1, x'00', x'01')`;
  changeDatabase(join(whole, 'm'), sql);
});

/** Returns the columns of the tables that a mirror reads. */
function columns(): { table: string; column: string; type: string }[] {
  const database = new DatabaseSync(join(whole, 'm', 'mirror.sqlite'), { readOnly: true });
  const rows = database
    .prepare(
      `SELECT m.name AS "table", c.name AS "column", c.type FROM pragma_table_list AS m, pragma_table_info(m.name) AS c
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'`,
    )
    .all();
  database.close();
  return rows as ReturnType<typeof columns>;
}

/** A file of names. */
const file = `{"format":"memory-read people","version":1}
{"memory":"mem_a","speaker":"Speaker 1","person":"Dora"}
`;

const tables = [
  ...['settings', 'memories', 'versions', 'events', 'media', 'purged', 'pending_purges', 'units', 'files', 'stems'],
  ...['export_folders', 'forgotten_files', 'people', 'person_numbers', 'namings', 'people_changes'],
  ...['sinks', 'deliveries'],
];

/** What an error says, with that of its causes. */
function textOf(error: unknown): string {
  const { message, stack, cause } = Object(error);
  return error === undefined ? '' : `${message} ${stack} ${textOf(cause)}`;
}

async function openCopy(options: Partial<OpenMirrorOptions> = {}, sql = ''): Promise<Mirror> {
  base = makeFolder();
  cpSync(whole, base, { recursive: true, preserveTimestamps: true });
  changeDatabase(join(base, 'm'), sql);
  return openForTest({ folder: join(base, 'm'), ...options });
}

test.each(tables)('the values of %s that another program wrote cause no other error than damage', async (table) => {
  const faults: string[] = [];
  const found = columns().filter((each) => each.table === table);
  expect(found).not.toEqual([]);
  for (const { column, type } of found) {
    for (const [index, value] of (values[type] ?? []).entries()) {
      base = makeFolder();
      cpSync(whole, base, { recursive: true, preserveTimestamps: true });
      const database = new DatabaseSync(join(base, 'm', 'mirror.sqlite'));
      database.prepare('UPDATE export_folders SET path = ?').run(join(base, 'e'));
      try {
        database.prepare(`UPDATE OR IGNORE ${table} SET ${column} = ?`).run(value);
      } catch {
        // The table does not accept the value.
        continue;
      } finally {
        database.close();
      }
      const note = (call: string, error: unknown) => {
        if (!isMirrorError(error)) faults.push(`${column} = ${value}: ${call}: ${Object(error).stack}`);
        if (textOf(error).includes(secret)) faults.push(`${column} = ${value}: ${call} quotes`);
      };
      const mirror = await openMirror({ folder: join(base, 'm') }).catch((error) => note('openMirror', error));
      if (mirror === undefined) continue;
      for (const [name, call] of Object.entries(index === 0 ? calls : readers))
        await call(mirror).catch((error) => note(name, error));
      await mirror.close().catch((error) => note('close', error));
    }
  }
  expect(faults).toEqual([]);
});

test.each<[string, (mirror: Mirror, fail: () => never) => Promise<unknown>]>([
  ['a client', (mirror, fail) => mirror.sync(Object.assign(client(), { listMemories: async () => fail() }))],
  ['a client that rejects nothing', (mirror, fail) => mirror.sync(Object.assign(client(), { listMemories: fail }))],
  [
    'a client without a memory',
    (mirror, fail) => mirror.sync(Object.assign(client(), { getMemory: fail }), { recheck: 9 }),
  ],
])('an error of %s is that of the caller', async (_, call) => {
  const error = new TypeError('Mine.');
  const mirror = await openCopy();
  const fail = () => {
    throw error;
  };
  await expect(call(mirror, fail)).rejects.toBe(error);
});

test.each<[string, (mirror: Mirror, signal: AbortSignal) => Promise<unknown>]>([
  ['check', (mirror, signal) => mirror.check({ signal })],
  ['backup', (mirror, signal) => mirror.backup(join(base, 'backup'), { signal })],
  ['repair', (mirror, signal) => mirror.repair(client(), { signal })],
  ['sync', (mirror, signal) => mirror.sync(client(), { signal })],
  ['writePages', (mirror, signal) => mirror.writePages({ signal })],
  ['exportFiles', (mirror, signal) => mirror.exportFiles(join(base, 'e'), { formats, signal })],
])('an abort of %s rejects with its reason, also if that is a TypeError', async (_, call) => {
  const reason = new TypeError('Stopped.');
  await expect(call(await openCopy(), AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('an error of the clock is that of the caller', async () => {
  const error = new RangeError('Mine.');
  const clock = {
    now: () => {
      throw error;
    },
  };
  const mirror = await openCopy({ clock });
  await account.put(saidRecord('mem_d'));
  onTestFinished(() => account.remove('mem_d'));
  await expect(mirror.sync(client())).rejects.toBe(error);
});

test('a purge that another program wrote stays, and does not keep a mirror from opening and syncing', async () => {
  const mirror = await openCopy({}, `UPDATE pending_purges SET memory_key = ${2n ** 63n - 1n}`);
  expect(await mirror.sync(client())).toMatchObject({ unchanged: 1, failed: [] });
  await mirror.close();
  expect(readRow(join(base, 'm'), 'SELECT count(*) AS pending FROM pending_purges')).toEqual({ pending: 1 });
});

test('a number that JavaScript lacks is damage, which a check names', async () => {
  const mirror = await openCopy({}, `UPDATE events SET at = ${2n ** 63n - 1n}`);
  await expect(mirror.history('mem_a')).rejects.toMatchObject({ code: 'damaged' });
  expect((await mirror.check()).damaged).toContainEqual(expect.objectContaining({ part: 'database' }));
});
