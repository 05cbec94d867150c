import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { beforeEach, expect, test, vi } from 'vitest';
import { rejection } from '../testing/rejection.ts';
import { saveFromMemory } from '../testing/save-from-memory.ts';
import { createBytes, type StorageObject } from '../testing/storage-object.ts';

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof fs>();
  return Object.fromEntries(
    Object.entries(actual).map(([name, value]) => [name, typeof value === 'function' ? vi.fn(value as never) : value]),
  );
});

const bytes = createBytes(20_000);
const handles = await fs.open(import.meta.filename).then(async (handle) => {
  await handle.close();
  return Object.getPrototypeOf(handle) as fs.FileHandle;
});
let folder: string;
let path: string;
beforeEach(() => {
  folder = makeFolder();
  path = join(folder, 'a.wav');
  return restore;
});

function restore(): void {
  vi.restoreAllMocks();
  vi.resetAllMocks();
}

const save = (object: Partial<StorageObject> = {}) => saveFromMemory(path, { bytes, ...object });

const ForeignError = runInContext('Error', createContext()) as ErrorConstructor;

/** Fails like the file systems and the permission models do. In Jest, errors of Node belong to another realm. */
function failure(code: string): Error {
  const error = new ForeignError(`${code}: refused`);
  if (code === 'NotCapable') return Object.assign(error, { name: code });
  return Object.assign(error, code === 'ERR_ACCESS_DENIED' ? { code } : { code, syscall: 'x' });
}

const fails = (code: string) => () => Promise.reject(failure(code));
const isFolder = async (handle: fs.FileHandle) => (await handle.stat()).isDirectory();

/** What the package asks for beside the bytes. Each function makes the operation fail from now on. */
const operations: Record<string, (code: string) => void> = {
  'the permissions of the file': (code) => vi.spyOn(handles, 'chmod').mockImplementation(fails(code)),
  'the sync of the file': (code) => failSync(code, { ofFolder: false }),
  'the sync of the folder': (code) => failSync(code, { ofFolder: true }),
  'every sync': (code) => vi.spyOn(handles, 'sync').mockImplementation(fails(code)),
  'the end of the complete file': (code) => failClose(code, { ofComplete: true }),
  'the end of any other file': (code) => failClose(code, { ofComplete: false }),
  'the status of an open file': (code) => vi.spyOn(handles, 'stat').mockImplementation(fails(code)),
  'the list of the folder': (code) => vi.mocked(fs.readdir).mockImplementation(fails(code)),
  'the removal of a file': (code) => vi.mocked(fs.unlink).mockImplementation(fails(code)),
  'the opening of the folder': (code) =>
    changeOpen((opened, name) =>
      name === folder ? opened.then((handle) => handle.close()).then(fails(code)) : opened,
    ),
  'the number of the user': (code) =>
    vi.spyOn(process, 'getuid').mockImplementation(() => {
      throw failure(code);
    }),
};

function failSync(code: string, { ofFolder }: { ofFolder: boolean }): void {
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: fs.FileHandle) {
    if ((await isFolder(this)) === ofFolder) throw failure(code);
  });
}

/** A network share reports here what it could not write. */
function failClose(code: string, { ofComplete }: { ofComplete: boolean }): void {
  changeOpen(async (opened) => {
    const handle = await opened;
    const close = handle.close.bind(handle);
    handle.close = async () => {
      const { size } = await handle.stat();
      await close();
      if ((size === bytes.length) === ofComplete) throw failure(code);
    };
    return handle;
  });
}

function changeOpen(change: (opened: Promise<fs.FileHandle>, path: unknown) => Promise<fs.FileHandle>): void {
  const open = vi.mocked(fs.open).getMockImplementation() ?? expect.fail();
  vi.mocked(fs.open).mockImplementation((...args) => change(open(...args), args[0]));
}

const refusals = ['EPERM', 'EACCES', 'ENOTSUP', 'EINVAL', 'ENOSYS', 'ERR_ACCESS_DENIED', 'NotCapable'];
const refused = Object.keys(operations).flatMap((operation) => refusals.map((code) => [operation, code] as const));

// Without them, no partial file is found, or none can be checked.
const needed = ['the list of the folder', 'the status of an open file'];

test.each(refused)('where %s fails with %s, a file is saved, replaced and resumed', async (operation, code) => {
  operations[operation]?.(code);
  const expectSaved = async (resumedFrom: number, object?: Partial<StorageObject>) => {
    expect(await save(object)).toMatchObject({ path, size: 20_000, resumedFrom });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  };
  await expectSaved(0);
  path = join(folder, 'old.wav');
  writeFileSync(path, 'old');
  await expectSaved(0, { etag: null });
  path = join(folder, 'lost.wav');
  vi.mocked(fs.rename).mockRejectedValueOnce(failure('ENOENT'));
  await expectSaved(0);
  if (needed.includes(operation)) return;
  path = join(folder, 'resumed.wav');
  await rejection(save({ cutAfter: 5_000 }));
  await expectSaved(5_000);
});

const pairs = (names: string[], codes: string[]) => names.flatMap((name) => codes.map((code) => [name, code] as const));

test.each(pairs(['the permissions of the file', 'the sync of the file', 'every sync'], ['EIO', 'ENOSPC', 'EDQUOT']))(
  'where %s fails with %s, the call fails and the next one resumes',
  async (operation, code) => {
    writeFileSync(path, 'old');
    operations[operation]?.(code);
    expect(await rejection(save())).toMatchObject({
      code,
      message: expect.stringMatching(/^Failed to save media to ".+": .+ \(E\w+\)\. .+ the download resumes\.$/),
    });
    expect(readFileSync(path, 'utf8')).toBe('old');
    restore();
    expect(await save()).toMatchObject({ resumedFrom: 20_000 });
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readdirSync(folder)).toEqual(['a.wav']);
  },
);

test.each(pairs(['the end of the complete file', 'the sync of the folder'], ['EIO', 'ENOSPC']))(
  'where %s fails with %s, the call fails',
  async (operation, code) => {
    operations[operation]?.(code);
    expect(await rejection(save())).toMatchObject({ code });
  },
);

test('a file whose permissions cannot be set stays private', async () => {
  writeFileSync(path, 'old', { mode: 0o644 });
  operations['the permissions of the file']?.('EPERM');
  await save();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each([
  ['EPERM', 'this user has no write permission (EPERM). Grant it write permission for the folder.'],
  ['ENOSYS', 'the file system does not support it (ENOSYS). Choose another folder.'],
  ['ENOTSUP', 'the file system does not support it (ENOTSUP). Choose another folder.'],
  [
    'ERR_ACCESS_DENIED',
    'the permission model of Node.js forbids it (ERR_ACCESS_DENIED). Allow the folder with --allow-fs-read and --allow-fs-write.',
  ],
  [
    'NotCapable',
    'the permissions of Deno forbid it (NotCapable). Allow the folder with --allow-read and --allow-write.',
  ],
])(
  'where a file cannot be moved because of %s, the message says why, and the next call resumes',
  async (code, advice) => {
    vi.mocked(fs.rename).mockImplementation(fails(code));
    writeFileSync(path, 'old');
    expect(await rejection(save())).toMatchObject({
      code,
      message: `Failed to save media to ${JSON.stringify(path)}: ${advice}`,
    });
    expect(readFileSync(path, 'utf8')).toBe('old');
    restore();
    expect(await save()).toMatchObject({ resumedFrom: 20_000 });
    expect(readdirSync(folder)).toEqual(['a.wav']);
  },
);

test.each(['known', 'unknown'])(
  'where every file is writable for all and the user is %s, a download is resumed',
  async (user) => {
    if (user === 'unknown') operations['the number of the user']?.('NotCapable');
    const { stat } = handles;
    vi.spyOn(handles, 'stat').mockImplementation(async function (this: fs.FileHandle) {
      const status = await stat.call(this);
      return Object.assign(status, { mode: Number(status.mode) | 0o777 });
    });
    await rejection(save({ cutAfter: 5_000 }));
    expect(await save()).toMatchObject({ resumedFrom: 5_000 });
    expect(readdirSync(folder)).toEqual(['a.wav']);
  },
);

test('where the user is unknown, a partial file that others can read is not used', async () => {
  operations['the number of the user']?.('NotCapable');
  await rejection(save({ cutAfter: 5_000 }));
  const [rest = ''] = readdirSync(folder);
  await fs.chmod(join(folder, rest), 0o644);
  expect(await save()).toMatchObject({ resumedFrom: 0 });
});
