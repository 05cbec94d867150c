import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import {
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { lstat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDirectoryMediaSource } from './create-directory-media-source.ts';

const { openDescriptors } = vi.hoisted(() => ({ openDescriptors: new Set<number>() }));

vi.mock('node:fs', async (original) => {
  const actual = await original<typeof fs>();
  const open = vi.fn((path: string, flags: number, callback: OpenCallback) =>
    actual.open(path, flags, (error, descriptor) => {
      if (!error) openDescriptors.add(descriptor);
      callback(error, descriptor);
    }),
  );
  const close = vi.fn((descriptor: number, callback: fs.NoParamCallback) => {
    openDescriptors.delete(descriptor);
    actual.close(descriptor, callback);
  });
  return { ...actual, open, close, read: vi.fn(actual.read), fstat: vi.fn(actual.fstat) };
});
vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>();
  return { ...actual, lstat: vi.fn(actual.lstat) };
});

type OpenCallback = (error: NodeJS.ErrnoException | null, descriptor: number) => void;

const openFile = vi.mocked(fs.open as (path: string, flags: number, callback: OpenCallback) => void);
const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 251);
const otherBytes = bytes.map((byte) => byte + 1);
const earlier = new Date('2026-11-20T12:00:00Z');
let parent: string;
let root: string;

beforeEach(() => {
  parent = fs.mkdtempSync(join(tmpdir(), 'media-source-'));
  root = join(parent, 'media');
  mkdirSync(join(root, 'mem_1'), { recursive: true });
  writeFileSync(join(root, 'mem_1/audio.wav'), bytes);
  writeFileSync(join(parent, 'outside.wav'), 'outside');
  openFile.mockClear();
});

afterEach(() => {
  rmSync(parent, { recursive: true });
  expect([...openDescriptors]).toEqual([]);
});

const find = (objectKey: string) => createDirectoryMediaSource({ path: root }).open(objectKey);
const findAudio = async () => (await find('mem_1/audio.wav')) ?? expect.unreachable('the file is there');
const read = async (stream: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(stream).arrayBuffer());

test('an object key names a file below the directory', async () => {
  const object = await findAudio();
  expect(object.size).toBe(bytes.length);
  expect(object.etag).toMatch(/^"[0-9a-z]+(-[0-9a-z]+){2}"$/);
  expect(await read(object.stream())).toEqual(bytes);
});

test('any range of a file is the slice of its bytes, in chunks of at most 64 KiB', async () => {
  const object = await findAudio();
  const position = fc.nat(bytes.length - 1);
  await fc.assert(
    fc.asyncProperty(position, position, async (one, other) => {
      const [start, end] = one < other ? [one, other] : [other, one];
      const chunks: Uint8Array[] = [];
      for await (const chunk of object.stream({ start, end })) chunks.push(chunk);
      expect(Buffer.concat(chunks).equals(bytes.subarray(start, end + 1))).toBe(true);
      expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(65_536);
    }),
    { numRuns: 30 },
  );
});

test('an empty file is an object without bytes', async () => {
  writeFileSync(join(root, 'empty.wav'), '');
  const object = await find('empty.wav');
  expect(object?.size).toBe(0);
  expect(object && (await read(object.stream()))).toEqual(new Uint8Array());
});

test.each([
  ...['a b..c.wav', '..a/é\u{1f600}.wav', 'mem_1/12:30:00.wav', '%2e%2e', 'a\\b', '..\\outside.wav', '\\', 'a:1/b'],
  ...['C:/b.wav', 'C:\\b.wav', 'c:audio.wav'],
])('the key %j names the file of this name', async (objectKey) => {
  const file = join(root, objectKey);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, objectKey);
  const object = await find(objectKey);
  expect(object && Buffer.from(await read(object.stream())).toString()).toBe(objectKey);
});

test.each([
  ...['', '/', '.', '..', '../outside.wav', 'mem_1/../../outside.wav', 'mem_1/../mem_1/audio.wav', './mem_1/audio.wav'],
  ...['mem_1//audio.wav', '/mem_1/audio.wav', 'mem_1/audio.wav/', 'mem_1/', 'mem_1\\audio.wav', '..\\outside.wav'],
  ...['mem_1/audio.wav\0', 'mem_1/audio.wav\ud800', 'mem_1', 'mem_1/missing.wav', 'mem_1/audio.wav/below'],
  ...['x'.repeat(300), 'x/'.repeat(3000).concat('x')],
])('the key %j names no object', async (objectKey) => {
  expect(await find(objectKey)).toBeUndefined();
});

test('on Windows, rejects a backslash and a colon, even if such a file exists', async () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? expect.unreachable();
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
  try {
    mkdirSync(join(root, 'C:'));
    const drives = ['C:/b.wav', 'c:audio.wav'];
    for (const objectKey of [...drives, 'a\\b.wav', '..\\outside.wav', 'audio.wav:hidden', 'audio.wav::$DATA']) {
      writeFileSync(join(root, objectKey), 'x');
      expect(await find(objectKey), objectKey).toBeUndefined();
    }
    expect((await findAudio()).size).toBe(bytes.length);
  } finally {
    Object.defineProperty(process, 'platform', platform);
  }
});

test('follows a link within the directory, but never out of it', async () => {
  symlinkSync('mem_1/audio.wav', join(root, 'inside.wav'));
  expect((await find('inside.wav'))?.size).toBe(bytes.length);

  mkdirSync(join(parent, 'media-sibling'));
  writeFileSync(join(parent, 'media-sibling/a.wav'), 'outside');
  for (const [link, target, objectKey = link] of [
    ['relative.wav', '../outside.wav'],
    ['absolute.wav', join(parent, 'outside.wav')],
    ['chained.wav', 'absolute.wav'],
    ['up', '..', 'up/outside.wav'],
    ['again', '..', 'again/media/mem_1'],
    ['sibling', '../media-sibling', 'sibling/a.wav'],
    ['device.wav', '/dev/zero'],
    ['dangling.wav', 'missing'],
    ['loop.wav', 'loop.wav'],
  ] as [string, string, string?][]) {
    symlinkSync(target, join(root, link));
    expect(await find(objectKey), objectKey).toBeUndefined();
  }
});

test('pipes and sockets are not objects', async () => {
  execFileSync('mkfifo', [join(root, 'pipe.wav')]);
  const server = createServer().listen(join(root, 'socket.wav'));
  await new Promise((resolve) => server.once('listening', resolve));
  expect(await find('pipe.wav')).toBeUndefined();
  expect(await find('socket.wav')).toBeUndefined();
  await new Promise((resolve) => server.close(resolve));
});

test('the directory itself may be a link, but not missing or a file', async () => {
  symlinkSync('media', join(parent, 'alias'));
  const source = createDirectoryMediaSource({ path: join(parent, 'alias') });
  expect((await source.open('mem_1/audio.wav'))?.size).toBe(bytes.length);
  for (const path of [join(parent, 'missing'), join(parent, 'outside.wav')]) {
    const message = `Failed to open the media directory: ${JSON.stringify(path)} is not a readable directory`;
    expect(() => createDirectoryMediaSource({ path })).toThrow(message);
  }
});

test('the tag changes with the size, the time and the file, but not after a read', async () => {
  const file = join(root, 'mem_1/audio.wav');
  const { etag, stream } = await findAudio();
  await read(stream());
  expect((await findAudio()).etag).toBe(etag);

  const tags = new Set([etag]);
  utimesSync(file, earlier, earlier);
  tags.add((await findAudio()).etag);
  fs.cpSync(file, `${file}.new`, { preserveTimestamps: true });
  renameSync(`${file}.new`, file);
  tags.add((await findAudio()).etag);
  writeFileSync(file, 'shorter');
  utimesSync(file, earlier, earlier);
  tags.add((await findAudio()).etag);
  expect(tags.size).toBe(4);
});

const changed = 'Failed to read a media file: the file changed during the request.';
const withOther = (start: number, end: number) => bytes.map((byte, at) => (at >= start && at < end ? byte + 1 : byte));
/** Writes like `rsync --inplace --times`: with the previous time. */
const rewrite = (file: string, content: Uint8Array) => {
  writeFileSync(file, content);
  utimesSync(file, earlier, earlier);
};

/** Changes that leave the bytes as they are. See docs/decisions/media-tags.md. */
const harmless: Record<string, (file: string) => void> = {
  'a backup with hard links': (file) => linkSync(file, join(parent, 'backup.wav')),
  'the end of a hard link': (file) => unlinkSync(`${file}.link`),
  'other permissions': (file) => fs.chmodSync(file, 0o600),
  // An ACL, an extended attribute and a label of SELinux change only the ctime too.
  'the same permissions, which change only the ctime': (file) => fs.chmodSync(file, statSync(file).mode),
  'the same owner': (file) => fs.chownSync(file, statSync(file).uid, statSync(file).gid),
  'another time of access': (file) => utimesSync(file, new Date('2026-11-21T00:00:00Z'), earlier),
  'the time that it has': (file) => utimesSync(file, earlier, earlier),
  'the bytes that it has, with the time that it has': (file) => rewrite(file, bytes),
};

/** Changes after which the name has no file, or another one. */
const removing: Record<string, (file: string) => void> = {
  'another name': (file) => renameSync(file, `${file}.moved`),
  'another folder': (file) => {
    mkdirSync(join(root, 'mem_2'), { recursive: true });
    renameSync(file, join(root, 'mem_2/audio.wav'));
  },
  'a new version that is renamed over it': (file) => {
    writeFileSync(`${file}.new`, otherBytes);
    renameSync(`${file}.new`, file);
  },
  'its deletion': (file) => unlinkSync(file),
};

/** Changes of the bytes that were read, each of which a read must notice. */
const harmful: Record<string, (file: string) => void> = {
  'other bytes': (file) => writeFileSync(file, otherBytes),
  'other bytes, with the time set back': (file) => rewrite(file, otherBytes),
  'one other byte, with the time set back': (file) => rewrite(file, withOther(0, 1)),
  'other bytes and other permissions': (file) => {
    rewrite(file, otherBytes);
    fs.chmodSync(file, 0o600);
  },
  'other bytes and a hard link': (file) => {
    linkSync(file, join(parent, 'backup.wav'));
    rewrite(file, otherBytes);
  },
  'other bytes and another name': (file) => {
    rewrite(file, otherBytes);
    renameSync(file, `${file}.moved`);
  },
  'another time': (file) => utimesSync(file, earlier, new Date('2026-11-21T00:00:00Z')),
  'fewer bytes': (file) => writeFileSync(file, 'cut'),
  'fewer bytes, with the time set back': (file) => rewrite(file, bytes.subarray(1)),
  'more bytes, with the time set back': (file) => {
    fs.appendFileSync(file, 'more');
    utimesSync(file, earlier, earlier);
  },
  'a place outside of the directory': (file) => renameSync(file, join(parent, 'moved.wav')),
};

/** Returns the open file, after its first chunk was read and a change was made. */
async function changeWhileReading(change: (file: string) => void) {
  const file = join(root, 'mem_1/audio.wav');
  utimesSync(file, earlier, earlier);
  linkSync(file, `${file}.link`);
  const { etag, stream } = await findAudio();
  const reader = stream().getReader();
  const chunks = [(await reader.read()).value ?? expect.unreachable()];
  await untilClockTicks(file);
  change(file);
  const readOn = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  };
  return { etag, chunks, readOn };
}

/** A file system updates its clock only every few milliseconds. A change before that keeps the ctime. */
async function untilClockTicks(file: string) {
  const { ctimeNs } = statSync(file, { bigint: true });
  const probe = join(parent, 'probe');
  do writeFileSync(probe, '');
  while (statSync(probe, { bigint: true }).ctimeNs === ctimeNs);
}

test.each([
  ...Object.entries(harmless).map((row) => ['keeps its tag and is read to its end', ...row] as const),
  ...Object.entries(removing).map((row) => ['is read to its end', ...row] as const),
])('a file %s despite %s', async (kept, _, change) => {
  const { etag, chunks, readOn } = await changeWhileReading(change);
  if (kept.startsWith('keeps')) expect((await findAudio()).etag).toBe(etag);
  await readOn();
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
});

test.each(Object.entries(harmful))('a read fails before its last bytes after %s', async (_, change) => {
  const { chunks, readOn } = await changeWhileReading(change);
  await expect(readOn()).rejects.toThrow(changed);
  expect(Buffer.concat(chunks).length).toBeLessThan(bytes.length);
});

test('a rewrite of bytes that are not read yet, with the time set back, gives the whole new version', async () => {
  const current = withOther(150_000, 200_000);
  const { chunks, readOn } = await changeWhileReading((file) => rewrite(file, current));
  await readOn();
  expect(Buffer.concat(chunks).equals(current)).toBe(true);
});

test('a rewrite while the bytes are compared is noticed too', async () => {
  const file = join(root, 'mem_1/audio.wav');
  const { chunks, readOn } = await changeWhileReading((path) => fs.chmodSync(path, 0o600));
  const { read: readNext } = await vi.importActual<typeof fs>('node:fs');
  let reads = 0;
  vi.mocked(fs.read as (...parameters: unknown[]) => void).mockImplementation((...parameters) => {
    reads += 1;
    // Three reads end the file. The fifth one compares its second chunk.
    if (reads === 5) rewrite(file, withOther(0, 1));
    (readNext as (...parameters: unknown[]) => void)(...parameters);
  });
  await expect(readOn()).rejects.toThrow(changed);
  expect(chunks.length).toBe(3);
  vi.mocked(fs.read).mockImplementation(readNext as never);
});

test('a file without read permission fails at its first read', async () => {
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/media/a.wav' });
  openFile.mockImplementationOnce((_path, _flags, callback) => callback(denied, -1));
  await expect((await findAudio()).stream().getReader().read()).rejects.toMatchObject({
    message: 'Failed to read a media file: this user may not read /media/a.wav. Give it read permission.',
    cause: denied,
  });
});

test('opens the file and reads bytes only as they are consumed, and a cancel closes the file', async () => {
  const reader = (await findAudio()).stream().getReader();
  expect(openFile).not.toHaveBeenCalled();
  await reader.read();
  vi.mocked(fs.read).mockClear();
  expect(openDescriptors.size).toBe(1);
  await new Promise(setImmediate);
  expect(fs.read).not.toHaveBeenCalled();
  await reader.cancel();
  expect(openDescriptors.size).toBe(0);
});

test.each(['opened', 'read'])('a cancel while the file is being %s closes it too', async (step) => {
  const reader = (await findAudio()).stream().getReader();
  if (step === 'read') await reader.read();
  const reading = reader.read();
  while (openFile.mock.calls.length === 0) await Promise.resolve();
  await reader.cancel();
  expect(await reading).toEqual({ done: true, value: undefined });
  expect(openDescriptors.size).toBe(0);
});

test('closes a file before its last chunk is sent, so a file of one chunk is never held', async () => {
  const object = await findAudio();
  for (const [start, end, ...expected] of [
    [0, bytes.length - 1, 1, 1, 1, 0],
    [0, 65_535, 0],
    [100, 65_636, 1, 0],
    [5, 5, 0],
  ] as [number, number, ...number[]][]) {
    const held: number[] = [];
    for await (const _ of object.stream({ start, end })) held.push(openDescriptors.size);
    expect(held).toEqual(expected);
  }
});

const failing = new Error('EIO: i/o error');
const fail = (...parameters: unknown[]) => (parameters.at(-1) as (error: Error) => void)(failing);

test.each([
  ['read', 1],
  ['read', 2],
  ['fstat', 1],
  ['fstat', 2],
] as const)('an error of %s, call %d, ends the stream and closes the file', async (name, call) => {
  const object = await findAudio();
  const mock = vi.mocked((name === 'read' ? fs.read : fs.fstat) as (...parameters: unknown[]) => void);
  const actual = (await vi.importActual<typeof fs>('node:fs'))[name] as (...parameters: unknown[]) => void;
  for (let before = 1; before < call; before += 1) mock.mockImplementationOnce(actual);
  mock.mockImplementationOnce(fail);
  await expect(read(object.stream())).rejects.toBe(failing);
  expect(openDescriptors.size).toBe(0);
});

test('an error of close changes nothing for the reader', async () => {
  vi.mocked(fs.close).mockImplementationOnce((descriptor, callback) => {
    openDescriptors.delete(descriptor);
    fs.closeSync(descriptor);
    callback?.(failing);
  });
  expect(await read((await findAudio()).stream())).toEqual(bytes);
});

// Only Linux lists the open files of a process.
test.runIf(process.platform === 'linux')('files of streams that are dropped unread or half-read are closed', () => {
  const script = `
    import { readdirSync, readlinkSync } from 'node:fs';
    const { createDirectoryMediaSource } = await import(process.argv[1]);
    const root = process.argv[2];
    const isOpen = (descriptor) => {
      try {
        return readlinkSync('/proc/self/fd/' + descriptor).startsWith(root);
      } catch {
        return false;
      }
    };
    const countOpen = () => readdirSync('/proc/self/fd').filter(isOpen).length;
    const source = createDirectoryMediaSource({ path: root });
    await (async () => {
      for (let count = 0; count < 50; count += 1) {
        (await source.open('mem_1/audio.wav')).stream();
        const reader = (await source.open('mem_1/audio.wav')).stream().getReader();
        await reader.read();
        void (await source.open('mem_1/audio.wav')).stream().getReader().read();
      }
    })();
    const before = countOpen();
    for (let rounds = 0; rounds < 100 && countOpen() > 0; rounds += 1) {
      gc();
      await new Promise(setImmediate);
    }
    console.log(before >= 50, countOpen());
  `;
  const source = join(import.meta.dirname, 'create-directory-media-source.ts');
  const node = ['--expose-gc', '--conditions=@memory-read/source', '--input-type=module', '--eval', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, source, root], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'true 0\n', stderr: '' });
});

test('an object that was replaced before it is read fails, whatever replaced it', async () => {
  const file = join(root, 'mem_1/audio.wav');
  const replacements: (() => void)[] = [
    () => writeFileSync(file, otherBytes),
    () => symlinkSync('../../outside.wav', file),
    () => symlinkSync('../kept', file),
    () => mkdirSync(file),
    () => execFileSync('mkfifo', [file]),
    () => {},
  ];
  for (const replace of replacements) {
    rmSync(file, { recursive: true, force: true });
    writeFileSync(file, bytes);
    const object = await findAudio();
    // The old file is renamed, not deleted, so that the new file cannot get its inode.
    renameSync(file, join(root, 'kept'));
    replace();
    await expect(read(object.stream())).rejects.toThrow(/the file changed|ELOOP|ENOENT|ENXIO/);
  }
});

/** Replaces `mem_1` by a link to a directory outside, or undoes that. */
function swapDirectory(): () => void {
  mkdirSync(join(parent, 'elsewhere'));
  writeFileSync(join(parent, 'elsewhere/audio.wav'), 'outside');
  renameSync(join(root, 'mem_1'), join(root, 'mem_0'));
  symlinkSync('../elsewhere', join(root, 'mem_1'));
  return () => {
    unlinkSync(join(root, 'mem_1'));
    renameSync(join(root, 'mem_0'), join(root, 'mem_1'));
  };
}

/** Replaces the directory once its path was checked. */
async function findAudioInSwapped() {
  let swapBack = () => {};
  vi.mocked(lstat).mockImplementationOnce(((path: string, options: object) => {
    swapBack = swapDirectory();
    return lstat(path, options);
  }) as typeof lstat);
  const object = await findAudio();
  return { object, swapBack };
}

test('rejects a directory that becomes a link after its path was checked', async () => {
  const { object } = await findAudioInSwapped();
  expect(object.size).toBe('outside'.length);
  await expect(read(object.stream())).rejects.toThrow(changed);
});

// Only Linux reports the path of an open file. Other systems cannot detect a directory that was swapped and swapped
// back.
test.runIf(process.platform === 'linux')('rejects a link that is removed again once the file is open', async () => {
  const { object, swapBack } = await findAudioInSwapped();
  const open = openFile.getMockImplementation() ?? expect.unreachable();
  openFile.mockImplementationOnce((path, flags, callback) =>
    open(path, flags, (error, descriptor) => {
      swapBack();
      callback(error, descriptor);
    }),
  );
  await expect(read(object.stream())).rejects.toThrow(changed);
});
