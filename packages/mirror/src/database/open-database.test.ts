import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readFolder } from '../testing/read-folder.ts';
import { inSnapshot } from './in-snapshot.ts';
import { assertFullTextSearch, openDatabase } from './open-database.ts';
import { digestOfSchema, hasSchema, NEWEST_VERSION } from './schema.ts';
import { migrations } from './tables.ts';
import { WriterLock } from './writer-lock.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = makeFolder();
  path = join(folder, 'mirror.sqlite');
});

const create = () => openDatabase(folder, { readOnly: false }).close();
const modules = JSON.stringify({ database: import.meta.resolve('./open-database.ts') });

/** Runs a script in its own process. `open` opens the mirror of the folder. */
function runScript(script: string, where = folder) {
  const code = `
    const { openDatabase } = await import(${modules}.database);
    const folder = ${JSON.stringify(where)};
    const open = () => openDatabase(folder, { readOnly: false });
    ${script}`;
  const args = ['--conditions=@memory-read/source', '--input-type=module', '--eval', code];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

/** Opens the folder in both ways, and returns the code of the error. Existing files must not change. */
function refusals(): (string | undefined)[] {
  const before = readFolder(folder);
  const codes = [false, true].map((readOnly) => {
    try {
      openDatabase(folder, { readOnly }).close();
      return undefined;
    } catch (error) {
      expect((error as Error).message).toContain(JSON.stringify(folder));
      return (error as { code: string }).code;
    }
  });
  const after = readFolder(folder);
  expect(new Map([...before.keys()].map((name) => [name, after.get(name)]))).toEqual(before);
  return codes;
}

describe('a file that cannot be used stays as it was', () => {
  test('text', () => {
    writeFileSync(path, 'Not a database. '.repeat(100));
    expect(refusals()).toEqual(['not_a_mirror', 'not_a_mirror']);
    writeFileSync(path, 'short');
    expect(refusals()).toEqual(['not_a_mirror', 'not_a_mirror']);
  });

  test('the database of another application, also with a log that is not written back', () => {
    const script = `
      const { DatabaseSync } = await import('node:sqlite');
      const other = new DatabaseSync(${JSON.stringify(path)});
      other.exec('PRAGMA journal_mode = WAL; CREATE TABLE other (x); INSERT INTO other VALUES (1)');
      process.kill(process.pid, 'SIGKILL');`;
    runScript(script);
    expect(readFolder(folder).size).toBe(3);
    expect(refusals()).toEqual(['not_a_mirror', 'not_a_mirror']);
  });

  test('a mirror of a newer version', () => {
    create();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    expect(refusals()).toEqual(['newer_version', 'newer_version']);
  });

  test('a truncated mirror', () => {
    create();
    truncateSync(path, statSync(path).size - 4096);
    expect(refusals()).toEqual(['damaged', 'damaged']);
  });

  test('a mirror with overwritten tables', () => {
    create();
    const content = readFileSync(path);
    content.fill(0x55, 100, 4096);
    writeFileSync(path, content);
    expect(refusals()).toEqual(['damaged', 'damaged']);
  });
});

describe('a database with other tables than ours stays as it was', () => {
  test.each([
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON settings BEGIN DELETE FROM memories; END'],
    ['a trigger of an index', 'CREATE TRIGGER t AFTER INSERT ON units BEGIN SELECT randomblob(1000000000); END'],
    ['a view', 'CREATE VIEW v AS SELECT * FROM memories'],
    [
      'a view with the name of a table',
      `DROP TABLE memories; CREATE VIEW memories AS
      WITH RECURSIVE endless (x) AS (SELECT 1 UNION ALL SELECT x FROM endless) SELECT x AS memory_id FROM endless`,
    ],
    ['another table', 'CREATE TABLE other (x)'],
    ['another index', 'CREATE INDEX other ON memories (read_at)'],
    ['an index with an expression', 'CREATE INDEX other ON versions (length(content))'],
    ['a table that lacks a column', 'DROP TABLE purged; CREATE TABLE purged (other BLOB PRIMARY KEY) STRICT'],
    ['a column with a default', "ALTER TABLE settings ADD COLUMN other TEXT DEFAULT 'x'"],
    ['a computed column', 'ALTER TABLE settings ADD COLUMN other TEXT AS (hex(zeroblob(100)))'],
    ['a constraint', 'DROP TABLE purged; CREATE TABLE purged (memory_hash BLOB PRIMARY KEY CHECK (random())) STRICT'],
    ['a missing table', 'DROP TABLE pending_purges'],
    ['a missing index', 'DROP INDEX media_of_memory'],
    ['a virtual table', 'CREATE VIRTUAL TABLE other USING fts5(x)'],
    ['an index of another kind', 'DROP TABLE words; CREATE VIRTUAL TABLE words USING fts5(tokens, marks)'],
    ['no tables', 'PRAGMA user_version = 0'],
    ['the tables of another version', 'PRAGMA user_version = 1'],
  ])('%s', (_, sql) => {
    create();
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
    expect(refusals()).toEqual(['not_a_mirror', 'not_a_mirror']);
  });

  test.each(['mirror.sqlite', 'mirror.lock'])('a journal of %s that names another file', (name) => {
    const own = join(folder, 'own.txt');
    writeFileSync(own, 'mine');
    const length = Buffer.alloc(8);
    length.writeUInt32BE(own.length);
    length.writeUInt32BE(
      [...own].reduce((sum, character) => sum + character.charCodeAt(0), 0),
      4,
    );
    const magic = Buffer.from('d9d505f920a163d7', 'hex');
    writeFileSync(
      join(folder, `${name}-journal`),
      Buffer.concat([magic, Buffer.alloc(504), Buffer.from(`0000${own}`), length, magic]),
    );
    expect(() => create()).toThrow(expect.objectContaining({ code: 'not_a_mirror' }));
    expect(readFileSync(own, 'utf8')).toBe('mine');
  });
});

test('the digest of the tables is that of what the migrations make', () => {
  const database = new DatabaseSync(':memory:');
  for (const [version, migrate] of [() => undefined, ...migrations].entries()) {
    migrate(database);
    expect(hasSchema(database, version), `version ${version}: ${digestOfSchema(database)}`).toBe(true);
  }
  database.close();
  expect(migrations).toHaveLength(NEWEST_VERSION);
});

test('rejects an empty or a missing folder for reading, and creates nothing', () => {
  expect(() => openDatabase(folder, { readOnly: true })).toThrow(expect.objectContaining({ code: 'not_found' }));
  const missing = join(folder, 'missing');
  expect(() => openDatabase(missing, { readOnly: true })).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(readFolder(folder).size).toBe(0);
  expect(statSync(missing, { throwIfNoEntry: false })).toBeUndefined();
});

test('rejects a file as folder', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => openDatabase(join(folder, 'file'), { readOnly: false })).toThrow(
    expect.objectContaining({
      code: 'storage',
      message: expect.stringContaining('a part of the path is not a folder'),
    }),
  );
});

test.each(['mirror.sqlite', 'mirror.lock'])(
  'rejects a link at the path of %s, and does not change its target',
  (name) => {
    const target = join(folder, 'elsewhere');
    const linked = join(folder, 'linked');
    mkdirSync(linked);
    symlinkSync(target, join(linked, name));
    const open = () => openDatabase(linked, { readOnly: false });
    expect(open).toThrow(
      expect.objectContaining({ code: 'storage', message: expect.stringContaining('symbolic link') }),
    );
    expect(existsSync(target)).toBe(false);
    writeFileSync(target, '');
    expect(open).toThrow(expect.objectContaining({ code: 'storage' }));
    expect(readFileSync(target, 'utf8')).toBe('');
  },
);

test('does not change a file when an existing mirror is opened and closed', () => {
  create();
  const before = statSync(path, { bigint: true });
  const content = readFolder(folder);
  openDatabase(folder, { readOnly: true }).close();
  create();
  expect(statSync(path, { bigint: true }).mtimeNs).toBe(before.mtimeNs);
  expect(readFolder(folder)).toEqual(content);
});

test.each(['000', '022', '777'])('creates private files and folders under umask %s', (umask) => {
  const script = `
    const { readdirSync, statSync } = await import('node:fs');
    process.umask(0o${umask});
    const database = open();
    database.exec("INSERT INTO settings VALUES ('user_id', 'x')");
    const names = ['', '..', ...readdirSync(folder)];
    const modes = names.map((name) => [name, (statSync(folder + '/' + name).mode & 0o777).toString(8)]);
    console.log(JSON.stringify(Object.fromEntries(modes)));`;
  const { stdout, stderr } = runScript(script, join(folder, 'new', 'mirror'));
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    '': '700',
    '..': '700',
    'mirror.lock': '600',
    'mirror.sqlite': '600',
    'mirror.sqlite-shm': '600',
    'mirror.sqlite-wal': '600',
  });
});

test('keeps the permissions of an existing folder', () => {
  const existing = join(folder, 'existing');
  mkdirSync(existing, { mode: 0o755 });
  const { mode } = statSync(existing);
  openDatabase(existing, { readOnly: false }).close();
  expect(statSync(existing).mode).toBe(mode);
});

test('creates the mirror at the next opening if its creation was killed at any step', () => {
  for (let step = 1; ; step += 1) {
    const { signal } = runScript(`
      const { DatabaseSync } = await import('node:sqlite');
      let steps = 0;
      for (const name of ['exec', 'close']) {
        const method = DatabaseSync.prototype[name];
        DatabaseSync.prototype[name] = function (...args) {
          steps += 1;
          if (steps === ${step}) process.kill(process.pid, 'SIGKILL');
          return method.apply(this, args);
        };
      }
      open().close();`);
    const database = openDatabase(folder, { readOnly: false });
    expect(database.prepare('SELECT count(*) AS count FROM memories').get()).toEqual({ count: 0 });
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    database.close();
    rmSync(path);
    if (signal !== 'SIGKILL') {
      expect(step).toBeGreaterThan(6);
      break;
    }
  }
});

describe('the lock', () => {
  test('has one holder at a time, also in one process, and ends with the process', () => {
    const lock = WriterLock.take(folder, 'sync');
    expect(() => WriterLock.take(folder, 'sync')).toThrow(expect.objectContaining({ code: 'busy' }));
    lock.release();
    WriterLock.take(folder, 'sync').release();
    const script = `
      const { WriterLock } = await import(${JSON.stringify(import.meta.resolve('./writer-lock.ts'))});
      WriterLock.take(folder, 'sync');
      process.kill(process.pid, 'SIGKILL');`;
    expect(runScript(script).signal).toBe('SIGKILL');
    WriterLock.take(folder, 'sync').release();
  });

  test('lets others open a mirror, but not create one', () => {
    create();
    const lock = WriterLock.take(folder, 'sync');
    onTestFinished(() => lock.release());
    create();
    rmSync(path);
    expect(create).toThrow(expect.objectContaining({ code: 'busy' }));
  });
});

test('a failure that ends a read is thrown, and not that of its end', () => {
  const database = openDatabase(folder, { readOnly: false });
  onTestFinished(() => database.close());
  const fail = () => {
    // SQLite does so on a full disk.
    database.exec('ROLLBACK');
    throw new Error('the disk is full');
  };
  expect(() => inSnapshot(database, fail)).toThrow('the disk is full');
});

test('rejects SQLite without FTS5 as an unsupported runtime', () => {
  assertFullTextSearch();
  const without = { prepare: () => ({ get: () => undefined }), close: () => undefined };
  expect(() => assertFullTextSearch(without as never)).toThrow(
    expect.objectContaining({ code: 'unsupported_runtime', message: expect.stringContaining('22.16') }),
  );
});
