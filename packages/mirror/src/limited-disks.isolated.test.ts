import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  fchmodSync,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { SendEvent } from './events/delivery-types.ts';
import type { MirrorWarning } from './files/hardening.ts';
import { type Mirror, openMirror } from './mirror.ts';
import { audio, openAccount, saidRecord } from './testing/open-account.ts';
import { openForTest } from './testing/open-for-test.ts';

vi.mock('node:fs', { spy: true });

// Nothing waits for a lock of another program.
vi.mock('node:sqlite', async (original) => {
  const sqlite = await original<typeof import('node:sqlite')>();
  class Impatient extends sqlite.DatabaseSync {
    constructor(path: string, options: object) {
      super(path, { ...options, timeout: 0 });
    }
    override exec(sql: string) {
      super.exec(sql.replace(/busy_timeout = \d+/, 'busy_timeout = 0'));
    }
  }
  return { ...sqlite, DatabaseSync: Impatient };
});

let folder: string;
let warnings: MirrorWarning[];
beforeEach(() => {
  folder = join(makeFolder(), 'mirror');
  warnings = [];
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

const open = (options: { readOnly?: boolean } = {}) =>
  openForTest({ folder, ...options, onWarning: (warning) => warnings.push(warning) });

async function openFilled(): Promise<{ mirror: Mirror; sync: () => Promise<unknown> }> {
  const account = await openAccount();
  await account.put(saidRecord('a', ['Good morning.'], { media: audio }), saidRecord('b'));
  const mirror = await open();
  return { mirror, sync: () => mirror.sync(account.clientOf('https://api.example.com'), { media: true }) };
}

const failure = (code: string) => Object.assign(new Error(`${code}: refused`), { code, syscall: 'x' });
const refusals = ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOSYS', 'ERR_ACCESS_DENIED'];

/** Steps without which a file is complete. Each function makes the step fail from now on. */
const steps: Record<string, { code: MirrorWarning['code']; fail: (error: Error) => void }> = {
  chmod: { code: 'not_private', fail: (error) => throwing(chmodSync, error) },
  fchmod: { code: 'not_private', fail: (error) => throwing(fchmodSync, error) },
  fsync: {
    code: 'not_durable',
    fail: (error) => {
      throwing(fsyncSync, error);
      vi.mocked(fsync).mockImplementation((_descriptor, callback) => callback(error));
    },
  },
};

function throwing(step: typeof chmodSync | typeof linkSync | typeof fchmodSync | typeof fsyncSync, error: Error): void {
  vi.mocked(step as () => void).mockImplementation(() => {
    throw error;
  });
}

test.each(Object.keys(steps).flatMap((step) => refusals.map((code) => [step, code] as const)))(
  'where %s fails with %s, everything is written, and one warning says so',
  async (step, code) => {
    steps[step]?.fail(failure(code));
    const { mirror, sync } = await openFilled();
    expect(await sync()).toMatchObject({ added: 2, mediaSaved: 1, failed: [] });
    expect(await mirror.writePages()).toMatchObject({ written: 2 });
    const target = join(folder, '..', 'export');
    expect(await mirror.exportFiles(target, { formats: ['text'], media: true })).toMatchObject({
      saved: 3,
      failed: [],
    });
    expect(warnings).toEqual([
      { code: steps[step]?.code, message: expect.stringMatching(/^Failed to .+ "\/.+".*: .+ \(\w+\)\. Keep .+\.$/) },
    ]);
    expect(warnings[0]?.message).toContain(code);
    expect((await mirror.search('morning')).hits).toHaveLength(2);
  },
);

test.each(Object.keys(steps).flatMap((step) => ['EIO', 'ENOSPC', 'EDQUOT'].map((code) => [step, code] as const)))(
  'where %s fails with %s, the mirror reports a failure',
  async (step, code) => {
    const { mirror, sync } = await openFilled();
    await sync();
    steps[step]?.fail(failure(code));
    const expected = { name: 'MirrorError', code: code === 'EIO' ? 'storage' : 'disk_full' };
    await expect(mirror.writePages()).rejects.toMatchObject(expected);
    expect(warnings).toEqual([]);
  },
);

test.each([
  ['link', 'EXDEV'],
  ['link', 'EMLINK'],
  ['link', 'EPERM'],
  ['chmod', 'EPERM'],
])('a recording keeps its permissions if %s fails with %s in an export', async (step, code) => {
  const { mirror, sync } = await openFilled();
  await sync();
  const { path = '' } = (await mirror.getMemory('a'))?.media.audio ?? {};
  throwing(step === 'link' ? linkSync : chmodSync, failure(code));
  const target = join(folder, '..', 'export');
  expect(await mirror.exportFiles(target, { media: true })).toMatchObject({ saved: 1, linked: 0, failed: [] });
  expect(statSync(join(folder, path))).toMatchObject({ nlink: 1, mode: 0o100600 });
});

test('a backup on a full disk leaves no file, also not the journal of SQLite', async () => {
  const mirror = await open();
  const target = makeFolder();
  const { prepare } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql: string) {
    const statement = prepare.call(this, sql);
    if (sql !== 'VACUUM INTO ?') return statement;
    const all = (path: string) => {
      writeFileSync(`${path}-journal`, '');
      throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    };
    return Object.assign(statement, { all });
  });
  await expect(mirror.backup(join(target, 'backup'))).rejects.toMatchObject({ code: 'disk_full' });
  expect(readdirSync(target)).toEqual([]);
});

test.each(['EACCES', 'EROFS'])(
  'a folder of exports that refuses a purge with %s does not keep it from the others, and is done by the next run there',
  async (code) => {
    const { mirror, sync } = await openFilled();
    await sync();
    const [first, second] = ['first', 'second'].map((name) => join(folder, '..', name)) as [string, string];
    for (const target of [first, second]) await mirror.exportFiles(target, { formats: ['text'], name: '{memory_id}' });
    const { rmSync: remove } = await vi.importActual<typeof import('node:fs')>('node:fs');
    vi.mocked(rmSync).mockImplementation((path, options) => {
      if (dirname(String(path)) === first) throw failure(code);
      remove(path, options);
    });
    expect(await mirror.purge('a')).toMatchObject({ purged: true, leftFiles: [], pendingFolders: [first] });
    const names = (target: string) => readdirSync(target).filter((name) => name.endsWith('.txt'));
    expect([names(first), names(second)]).toEqual([['a.txt', 'b.txt'], ['b.txt']]);
    vi.mocked(rmSync).mockImplementation(remove);
    expect(await mirror.exportFiles(first, { formats: ['text'] })).toMatchObject({ removed: 1, saved: 0 });
    expect(names(first)).toEqual(['b.txt']);
  },
);

test('where permissions have no effect, a warning says so', async () => {
  vi.mocked(fstatSync).mockReturnValue({ mode: 0o100755 } as never);
  await open();
  expect(warnings).toMatchObject([{ code: 'not_private', message: expect.stringContaining('(no effect)') }]);
});

test('where a file cannot be synced, SQLite does not sync either, but a permission model does not concern it', async () => {
  const level = (code: string) => {
    throwing(fsyncSync, failure(code));
    return open().then(() =>
      vi
        .mocked(exec)
        .mock.calls.flat()
        .filter((sql) => sql.includes('synchronous'))
        .at(-1),
    );
  };
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  expect(await level('EINVAL')).toContain('synchronous = OFF');
  expect(await level('ERR_ACCESS_DENIED')).toContain('synchronous = FULL');
});

test('an onWarning that throws does not end the work', async () => {
  throwing(fsyncSync, failure('EINVAL'));
  const onWarning = vi.fn(() => {
    throw new Error('The bar is broken.');
  });
  await (await openMirror({ folder, onWarning })).close();
  expect(onWarning).toHaveBeenCalledOnce();
});

test('with --permission of Node.js, everything is written, with a warning for each code', () => {
  const script = `
    const { openMirror } = await import(${JSON.stringify(import.meta.resolve('./mirror.ts'))});
    const { audio, openAccount, saidRecord } = await import(${JSON.stringify(import.meta.resolve('./testing/open-account.ts'))});
    const account = await openAccount();
    await account.put(saidRecord('a', ['Good morning.'], { media: audio }));
    const codes = [];
    const mirror = await openMirror({ folder: 'mirror', onWarning: ({ code }) => codes.push(code) });
    const { added, mediaSaved } = await mirror.sync(account.clientOf('https://api.example.com'), { media: true });
    const { written } = await mirror.writePages();
    const { saved } = await mirror.exportFiles('export', { formats: ['text'], media: true, copy: true });
    const { purged } = await mirror.purge('a');
    await mirror.close();
    console.log(JSON.stringify({ added, mediaSaved, written, saved, purged, codes: codes.sort() }));`;
  const cwd = makeFolder();
  const permissions = ['--permission', '--allow-fs-read=*', `--allow-fs-write=${cwd}`];
  const args = ['--conditions=@memory-read/source', ...permissions, '--input-type=module', '--eval', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  expect(stderr).toBe('');
  const written = { added: 1, mediaSaved: 1, written: 1, saved: 2, purged: true };
  expect(JSON.parse(stdout)).toEqual({ ...written, codes: ['not_durable', 'not_private'] });
});

// What SQLite reports on a network share: https://sqlite.org/rescode.html
const shareCodes = {
  SQLITE_PERM: 3,
  SQLITE_PROTOCOL: 15,
  SQLITE_IOERR_UNLOCK: 2058,
  SQLITE_IOERR_RDLOCK: 2314,
  SQLITE_IOERR_CHECKRESERVEDLOCK: 3594,
  SQLITE_IOERR_LOCK: 3850,
  SQLITE_IOERR_SHMOPEN: 4618,
  SQLITE_IOERR_SHMLOCK: 5130,
  SQLITE_IOERR_SHMMAP: 5386,
  'SQLITE_BUSY, also for a file that no other program knows': 5,
};

/** Makes statements fail that contain one of these texts. */
function failStatements(parts: readonly string[], errcode: number): void {
  const { exec } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql: string) {
    if (!parts.some((part) => sql.includes(part))) return exec.call(this, sql);
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode });
  });
}

test.each(
  Object.entries(shareCodes).flatMap(([name, code]) =>
    ['BEGIN EXCLUSIVE', 'BEGIN IMMEDIATE', 'journal_mode = WAL'].map((statement) => [name, statement, code] as const),
  ),
)('%s at %s means a share, which is refused and stays empty', async (_name, statement, code) => {
  failStatements(code === 5 ? [statement, 'BEGIN EXCLUSIVE'] : [statement], code);
  const reason = 'SQLite cannot lock files there. Keep the mirror on a local disk, and export to the share.';
  await expect(open()).rejects.toMatchObject({
    code: 'unsupported_disk',
    message: `Failed to open the mirror in ${JSON.stringify(folder)}: ${reason}`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a disk on which SQLite has no log is refused and stays empty', async () => {
  const { exec } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql: string) {
    exec.call(this, sql.replace('journal_mode = WAL', 'journal_mode = DELETE'));
  });
  await expect(open()).rejects.toMatchObject({ code: 'unsupported_disk' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a mirror that was moved to a share is refused and stays as it was', async () => {
  await (await open()).close();
  const before = readdirSync(folder);
  failStatements(['synchronous'], 5386);
  await expect(open()).rejects.toMatchObject({ code: 'unsupported_disk' });
  expect(readdirSync(folder)).toEqual(before);
});

/** Opens the database as a program that shows databases does. */
function openViewer(sql: string): DatabaseSync {
  const viewer = new DatabaseSync(join(folder, 'mirror.sqlite'));
  onTestFinished(() => viewer[Symbol.dispose]());
  viewer.exec(sql);
  viewer.prepare('SELECT count(*) FROM memories').get();
  return viewer;
}

const anotherProgram = {
  name: 'MirrorError',
  code: 'busy',
  message: expect.stringMatching(/^Failed to .+ in "\/.+": another program has locked it\. Close it, and try again\.$/),
  cause: expect.objectContaining({ errcode: 5 }),
};

test.each(['BEGIN IMMEDIATE', 'BEGIN EXCLUSIVE'])('after %s of another program, writes say so', async (begin) => {
  const { mirror, sync } = await openFilled();
  await sync();
  openViewer(begin);
  await expect(sync()).rejects.toMatchObject(anotherProgram);
  await expect(mirror.purge('a')).rejects.toMatchObject(anotherProgram);
  await expect(mirror.writePages()).rejects.toMatchObject(anotherProgram);
  expect((await mirror.search('morning')).hits).toHaveLength(2);
});

test('an event whose answer cannot be stored is sent again, and a delivery with nothing due needs no lock', async () => {
  const { mirror, sync } = await openFilled();
  await sync();
  let viewer: DatabaseSync | undefined;
  const sent: string[] = [];
  const send: SendEvent = (event, { attempt }) => {
    sent.push(`${event.id} ${attempt}`);
    viewer ??= openViewer('BEGIN IMMEDIATE');
  };
  await expect(mirror.deliver('default', send)).rejects.toMatchObject(anotherProgram);
  viewer?.exec('ROLLBACK');
  expect(await mirror.deliver('default', send)).toMatchObject({ delivered: 4, failed: 0, pending: 0 });
  expect([sent.length, new Set(sent).size, sent[1]]).toEqual([5, 4, sent[0]]);
  viewer?.exec('BEGIN IMMEDIATE');
  expect(await mirror.deliver('default', send)).toMatchObject({ delivered: 0, pending: 0 });
  await expect(mirror.deliver('other', send)).rejects.toMatchObject(anotherProgram);
  await expect(mirror.resumeSink('default')).rejects.toMatchObject(anotherProgram);
});

test.each([true, false])(
  'while another program locks the whole database, opening says so (readOnly: %s)',
  async (readOnly) => {
    await (await open()).close();
    openViewer('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    await expect(open({ readOnly })).rejects.toMatchObject(anotherProgram);
  },
);
