import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import * as fs from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDirectoryMediaSource } from './create-directory-media-source.ts';

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof fs>();
  return { ...actual, open: vi.fn(actual.open), lstat: vi.fn(actual.lstat) };
});

const openFile = vi.mocked(fs.open);
const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 251);
const otherBytes = bytes.map((byte) => byte + 1);
const earlier = new Date('2026-11-20T12:00:00Z');
let parent: string;
let root: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'media-source-'));
  root = join(parent, 'media');
  mkdirSync(join(root, 'mem_1'), { recursive: true });
  writeFileSync(join(root, 'mem_1/audio.wav'), bytes);
  writeFileSync(join(parent, 'outside.wav'), 'outside');
  openFile.mockClear();
});

afterEach(async () => {
  const handles = await openedHandles();
  rmSync(parent, { recursive: true });
  expect(handles.filter((handle) => handle.fd !== -1)).toEqual([]);
});

/** The files that were opened. A closed one has the descriptor -1. */
async function openedHandles(): Promise<fs.FileHandle[]> {
  const results = await Promise.allSettled(openFile.mock.results.map(({ value }) => value as Promise<fs.FileHandle>));
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

const find = (objectKey: string) => createDirectoryMediaSource({ path: root }).open(objectKey);
const findAudio = async () => (await find('mem_1/audio.wav')) ?? expect.unreachable('the file is there');
const read = async (stream: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(stream).arrayBuffer());

test('an object key names a file below the directory', async () => {
  const object = await findAudio();
  expect(object.size).toBe(bytes.length);
  expect(object.etag).toMatch(/^"[0-9a-z]+(-[0-9a-z]+){3}"$/);
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

test('accepts keys with spaces, dots, colons, backslashes and any letters', async () => {
  for (const objectKey of [
    'a b..c.wav',
    '..a/é\u{1f600}.wav',
    'mem_1/12:30:00.wav',
    '%2e%2e',
    'a\\b',
    '..\\outside.wav',
    '\\',
    'a:1/b',
    'C:/b.wav',
    'C:\\b.wav',
    'c:audio.wav',
  ]) {
    const file = join(root, objectKey);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, objectKey);
    const object = await find(objectKey);
    expect(object && Buffer.from(await read(object.stream())).toString()).toBe(objectKey);
  }
});

test.each([
  '',
  '/',
  '.',
  '..',
  '../outside.wav',
  'mem_1/../../outside.wav',
  'mem_1/../mem_1/audio.wav',
  './mem_1/audio.wav',
  'mem_1//audio.wav',
  '/mem_1/audio.wav',
  'mem_1/audio.wav/',
  'mem_1/',
  'mem_1\\audio.wav',
  '..\\outside.wav',
  'mem_1/audio.wav\0',
  'mem_1/audio.wav\ud800',
  'mem_1',
  'mem_1/missing.wav',
  'mem_1/audio.wav/below',
  'x'.repeat(300),
  'x/'.repeat(3000).concat('x'),
])('the key %j names no object', async (objectKey) => {
  expect(await find(objectKey)).toBeUndefined();
});

test('on Windows, rejects a backslash and a colon, even if such a file exists', async () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? expect.unreachable();
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
  try {
    mkdirSync(join(root, 'C:'));
    for (const objectKey of [
      'a\\b.wav',
      '..\\outside.wav',
      'C:/b.wav',
      'c:audio.wav',
      'audio.wav:hidden',
      'audio.wav::$DATA',
    ]) {
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
  symlinkSync('../outside.wav', join(root, 'relative.wav'));
  symlinkSync(join(parent, 'outside.wav'), join(root, 'absolute.wav'));
  symlinkSync('absolute.wav', join(root, 'chained.wav'));
  symlinkSync('..', join(root, 'up'));
  symlinkSync('../media-sibling', join(root, 'sibling'));
  symlinkSync('/dev/zero', join(root, 'device.wav'));
  symlinkSync('missing', join(root, 'dangling.wav'));
  symlinkSync('loop.wav', join(root, 'loop.wav'));
  for (const objectKey of [
    'relative.wav',
    'absolute.wav',
    'chained.wav',
    'up/outside.wav',
    'sibling/a.wav',
    'device.wav',
    'dangling.wav',
    'loop.wav',
    'up/media/mem_1',
  ]) {
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

test('the directory itself may be a link', async () => {
  symlinkSync('media', join(parent, 'alias'));
  const source = createDirectoryMediaSource({ path: join(parent, 'alias') });
  expect((await source.open('mem_1/audio.wav'))?.size).toBe(bytes.length);
});

test('rejects a directory that is missing or is not a directory', () => {
  const missing = join(parent, 'missing');
  expect(() => createDirectoryMediaSource({ path: missing })).toThrow(
    `Failed to open the media directory: ${JSON.stringify(missing)} is not a readable directory`,
  );
  expect(() => createDirectoryMediaSource({ path: join(parent, 'outside.wav') })).toThrow(
    'is not a readable directory',
  );
});

test('the tag changes with the bytes, the time and the file, but not after a read', async () => {
  const file = join(root, 'mem_1/audio.wav');
  const { etag } = await findAudio();
  expect((await findAudio()).etag).toBe(etag);

  const tags = new Set([etag]);
  utimesSync(file, earlier, earlier);
  tags.add((await findAudio()).etag);
  writeFileSync(`${file}.new`, bytes);
  utimesSync(`${file}.new`, earlier, earlier);
  renameSync(`${file}.new`, file);
  tags.add((await findAudio()).etag);
  writeFileSync(file, 'shorter');
  utimesSync(file, earlier, earlier);
  tags.add((await findAudio()).etag);
  expect(tags.size).toBe(4);
});

/** Rewrites a file like `rsync --inplace --times`: with the same size and the previous time. */
function rewriteInPlace(file: string, content: Uint8Array) {
  const { ctimeNs } = statSync(file, { bigint: true });
  // A file system updates its clock only every few milliseconds, so the file is rewritten until its ctime changes.
  while (statSync(file, { bigint: true }).ctimeNs === ctimeNs) {
    writeFileSync(file, content);
    utimesSync(file, earlier, earlier);
  }
}

test('a rewrite with the same size and time is a new version, before and during a read', async () => {
  const file = join(root, 'mem_1/audio.wav');
  utimesSync(file, earlier, earlier);
  const found = await findAudio();
  const reader = found.stream().getReader();
  await reader.read();
  rewriteInPlace(file, otherBytes);
  expect((await findAudio()).etag).not.toBe(found.etag);
  await expect(read(found.stream())).rejects.toThrow(changed);
  const readOn = async () => {
    while (!(await reader.read()).done);
  };
  await expect(readOn()).rejects.toThrow(changed);
});

test('a file without read permission fails at its first read', async () => {
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/media/a.wav' });
  openFile.mockRejectedValueOnce(denied);
  await expect((await findAudio()).stream().getReader().read()).rejects.toMatchObject({
    message: 'Failed to read a media file: this user may not read /media/a.wav. Give it read permission.',
    cause: denied,
  });
});

test('opens no file before the first byte is requested', async () => {
  const object = await findAudio();
  const stream = object.stream();
  await stream.cancel();
  expect(openFile).not.toHaveBeenCalled();
});

test('reads bytes only as they are consumed, and a cancel closes the file', async () => {
  const reader = (await findAudio()).stream().getReader();
  await reader.read();
  const [handle] = await openedHandles();
  const readNext = vi.spyOn(handle ?? expect.unreachable(), 'read');
  expect(handle?.fd).toBeGreaterThan(0);
  expect(readNext).not.toHaveBeenCalled();
  await reader.cancel();
  expect(handle?.fd).toBe(-1);
});

test('a cancel while the file is being opened or read closes it too', async () => {
  const opening = (await findAudio()).stream().getReader();
  const first = opening.read();
  while (openFile.mock.calls.length === 0) await Promise.resolve();
  await opening.cancel();
  expect(await first).toEqual({ done: true, value: undefined });

  const reading = (await findAudio()).stream().getReader();
  await reading.read();
  const second = reading.read();
  await reading.cancel();
  expect(await second).toEqual({ done: true, value: undefined });

  const handles = await openedHandles();
  expect(handles.map((handle) => handle.fd)).toEqual([-1, -1]);
});

test('closes a file at its end and after a failure', async () => {
  await read((await findAudio()).stream());
  const broken = (await findAudio()).stream().getReader();
  await broken.read();
  const [whole, failing] = await openedHandles();
  expect(whole?.fd).toBe(-1);
  vi.spyOn(failing ?? expect.unreachable(), 'read').mockRejectedValue(new Error('EIO'));
  await expect(broken.read()).rejects.toThrow('EIO');
  expect(failing?.fd).toBe(-1);
});

const changed = 'Failed to read a media file: the file changed during the request.';

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

test('a file that is cut or rewritten during a read fails before its last bytes', async () => {
  const file = join(root, 'mem_1/audio.wav');
  for (const change of [() => writeFileSync(file, 'cut'), () => writeFileSync(file, otherBytes)]) {
    writeFileSync(file, bytes);
    utimesSync(file, earlier, earlier);
    const reader = (await findAudio()).stream().getReader();
    let received = (await reader.read()).value?.length ?? 0;
    change();
    const readOn = async () => {
      for (;;) received += (await reader.read()).value?.length ?? expect.unreachable('it ended well');
    };
    await expect(readOn()).rejects.toThrow(changed);
    expect(received).toBeLessThan(bytes.length);
  }
});

test('a file that is replaced by a rename during a read is read to its end', async () => {
  const file = join(root, 'mem_1/audio.wav');
  const reader = (await findAudio()).stream().getReader();
  const chunks = [(await reader.read()).value ?? expect.unreachable()];
  writeFileSync(`${file}.new`, otherBytes);
  renameSync(`${file}.new`, file);
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
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

test('rejects a directory that becomes a link after its path was checked', async () => {
  vi.mocked(fs.lstat).mockImplementationOnce(((path: string, options: object) => {
    swapDirectory();
    return fs.lstat(path, options);
  }) as typeof fs.lstat);
  const object = await findAudio();
  expect(object.size).toBe('outside'.length);
  await expect(read(object.stream())).rejects.toThrow(changed);
});

// Only Linux reports the path of an open file. Other systems cannot detect a directory that was swapped and swapped
// back.
test.runIf(process.platform === 'linux')('rejects a link that is removed again once the file is open', async () => {
  let swapBack = () => {};
  vi.mocked(fs.lstat).mockImplementationOnce(((path: string, options: object) => {
    swapBack = swapDirectory();
    return fs.lstat(path, options);
  }) as typeof fs.lstat);
  const object = await findAudio();
  const open = openFile.getMockImplementation() ?? expect.unreachable();
  openFile.mockImplementationOnce(async (...parameters) => {
    const handle = await open(...parameters);
    swapBack();
    return handle;
  });
  await expect(read(object.stream())).rejects.toThrow(changed);
});
