import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test, vi } from 'vitest';
import { MediaDownloadError, MemoryClient } from '../index.ts';
import { rejection } from '../testing/rejection.ts';
import { answerWith, createBytes, type StorageObject } from '../testing/storage-object.ts';
import { json } from '../testing/stub-fetch.ts';
import { type MediaToSave, saveMedia } from './save-media.ts';

const bytes = createBytes(20_000);
const whole: StorageObject = { bytes };
const other: StorageObject = { bytes: createBytes(20_000, 2), etag: '"v2"' };
type Answer = StorageObject | ((request: Request) => Response);

let folder: string;
let path: string;
beforeEach(() => {
  folder = makeFolder();
  path = join(folder, 'a.wav');
  return () => vi.restoreAllMocks();
});

/** A client whose storage returns these responses in turn and then rejects requests. */
function createClient(...answers: readonly Answer[]) {
  const ranges: (string | null)[] = [];
  const fetch = async (request: Request) => {
    const { host, pathname } = new URL(request.url);
    const audio_url = 'https://storage.example.com/a.wav?signature=URLSECRET';
    if (host === 'api.example.com') return json(sampleMemory({ id: basename(pathname), audio_url }));
    const answer = answers[ranges.length];
    ranges.push(request.headers.get('range'));
    if (typeof answer === 'function') return answer(request);
    return answer === undefined ? new Response('x', { status: 451 }) : answerWith(request, answer);
  };
  return { client: new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk', fetch }), ranges };
}

/** Asserts that the folder has this file and no other. */
function expectSaved(content: Uint8Array = bytes): void {
  expect(readFileSync(path).equals(content)).toBe(true);
  expect(readdirSync(folder)).toEqual(['a.wav']);
}

/** Asserts that an older file is as it was, beside no other. */
function expectOld(): void {
  expectSaved(new TextEncoder().encode('old'));
}

const save = (client: MemoryClient, to = path) => saveMedia(client, 'mem_1', 'audio', to);

/** Leaves the first 5,000 bytes, like a process that is killed. */
async function leaveRest(object = whole): Promise<string> {
  await rejection(save(createClient({ ...object, cutAfter: 5_000 }).client));
  const [rest = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  return join(folder, rest);
}

const fields = { contentType: 'audio/wav', size: 20_000 };

test('saves the whole file, and nothing else', async () => {
  expect(await save(createClient(whole).client)).toEqual({ path, ...fields, resumedFrom: 0 });
  expectSaved();
});

test('replaces an older file as a whole, and does not change it before', async () => {
  writeFileSync(path, 'old');
  await rejection(save(createClient({ ...whole, cutAfter: 5_000 }).client));
  expect(readFileSync(path, 'utf8')).toBe('old');
  await save(createClient(whole).client);
  expectSaved();
});

test.each(['"v1"', `"${'x'.repeat(78)}"`])(
  'resumes from the bytes of an earlier call, by the ETag %s',
  async (etag) => {
    await leaveRest({ ...whole, etag });
    const { client, ranges } = createClient({ ...whole, etag });
    expect(await save(client)).toEqual({ path, ...fields, resumedFrom: 5_000 });
    expect(ranges).toEqual(['bytes=5000-']);
    expectSaved();
  },
);

test('moves a complete download of an earlier call to its place', async () => {
  writeFileSync(await leaveRest(), bytes);
  const saved = { path, contentType: null, size: 20_000, resumedFrom: 20_000 };
  expect(await save(createClient(whole).client)).toEqual(saved);
  expectSaved();
});

const answer = (headers: Record<string, string>) => () =>
  new Response(bytes, { headers: { etag: '"v1"', ...headers } });
const rangeless = answer({ 'content-length': '20000' });
const shorter = (size: number) => () =>
  new Response('x', { status: 416, headers: { 'content-range': `bytes */${size}` } });
const small = { ...other, bytes: createBytes(5_000, 2) };

test.each<[string, number, Answer[], Uint8Array]>([
  ['an object has changed', 5_000, [other, other], other.bytes],
  ['a storage has no ranges', 5_000, [rangeless, rangeless], bytes],
  [
    'a 416 without an ETag proves nothing, even for the length of the partial file',
    5_000,
    [shorter(5_000), small],
    small.bytes,
  ],
  ['a partial file is longer than the object', 30_000, [shorter(20_000), whole], bytes],
])('requests the whole object again where %s', async (_title, length, answers, expected) => {
  writeFileSync(await leaveRest(), Buffer.concat([bytes, bytes]).subarray(0, length));
  const { client, ranges } = createClient(...answers);
  expect(await save(client)).toMatchObject({ size: expected.length, resumedFrom: 0 });
  expect(ranges).toEqual([`bytes=${length}-`, null]);
  expectSaved(expected);
});

test.each(['W/"v1"', null, `"${'x'.repeat(79)}"`])(
  'without an ETag to resume with, such as %s, leaves no partial file',
  async (etag) => {
    await rejection(save(createClient({ ...whole, etag, cutAfter: 5_000 }).client));
    expect(readdirSync(folder)).toEqual([]);
    await save(createClient({ ...whole, etag }).client);
    expectSaved();
  },
);

test('does not use partial files of other media, memories, servers or files', async () => {
  await leaveRest();
  const { client, ranges } = createClient(whole, whole);
  await saveMedia(client, 'mem_2', 'audio', path);
  await saveMedia(client, 'mem_1', 'audio', join(folder, 'b.wav'));
  expect(ranges).toEqual([null, null]);
  expect(readdirSync(folder)).toHaveLength(3);
});

test('saves an empty object as an empty file', async () => {
  const { client } = createClient({ bytes: new Uint8Array() });
  expect(await save(client)).toMatchObject({ size: 0 });
  expect(readFileSync(path)).toHaveLength(0);
});

test('follows a link, and replaces its target', async () => {
  mkdirSync(join(folder, 'deep'));
  writeFileSync(join(folder, 'deep', 'real.wav'), 'old');
  symlinkSync(join('deep', 'real.wav'), path);
  await save(createClient(whole).client);
  expect(readFileSync(join(folder, 'deep', 'real.wav')).equals(bytes)).toBe(true);
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

const pipe = (to: string) => execFileSync('mkfifo', [to]);

test.each<[string, string, (path: string) => void, string | RegExp]>([
  ['a folder', '.', () => {}, 'the path is a folder. Pass the path of a file.'],
  ['a path in no folder', 'none/a.wav', () => {}, 'its folder does not exist. Create the folder first.'],
  ['a link that leads nowhere', 'a', (to) => symlinkSync('nowhere/a', to), 'the path is a broken symbolic link'],
  ['a pipe', 'a', pipe, 'the path is not a regular file'],
  ['a name that is too long', 'x'.repeat(300), () => {}, 'ENAMETOOLONG'],
])('rejects %s before any request, and does not change it', async (_title, name, make, problem) => {
  const to = join(folder, name);
  make(to);
  const before = readdirSync(folder);
  const { client, ranges } = createClient(whole);
  const { message } = (await rejection(save(client, to))) as Error;
  expect(message).toContain(`Failed to save media to ${JSON.stringify(to)}: `);
  expect(message).toContain(problem);
  expect([ranges, readdirSync(folder)]).toEqual([[], before]);
  expect(readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([]);
});

const intoFolder = ({ suffix }: MediaToSave) => join(folder, `a${suffix}`);

test('a function names the file by the type that the storage sends', async () => {
  const name = vi.fn(async (media: MediaToSave) => intoFolder(media));
  const { client, ranges } = createClient(whole);
  expect(await saveMedia(client, 'mem_1', 'audio', name)).toEqual({ path, ...fields, resumedFrom: 0 });
  expect(name.mock.calls).toEqual([[{ contentType: 'audio/wav', suffix: '.wav' }]]);
  expect(ranges).toEqual([null]);
  expectSaved();
});

test('with a function, the next call resumes too, and an object that has changed is loaded once', async () => {
  await leaveRest();
  const { client, ranges } = createClient(whole, whole);
  expect(await saveMedia(client, 'mem_1', 'audio', intoFolder)).toMatchObject({ path, resumedFrom: 5_000 });
  expect(ranges).toEqual([null, 'bytes=5000-']);
  expectSaved();
  rmSync(path);
  await leaveRest();
  const changed = createClient(other);
  expect(await saveMedia(changed.client, 'mem_1', 'audio', intoFolder)).toMatchObject({ path, resumedFrom: 0 });
  expect(changed.ranges).toEqual([null]);
  expectSaved(other.bytes);
});

test('with a function, the first connection ends before the one that resumes begins', async () => {
  await leaveRest();
  const steps: string[] = [];
  const unread = new ReadableStream({ cancel: () => void steps.push('ended') });
  const { client } = createClient(
    () => new Response(unread, { headers: { etag: '"v1"', 'content-type': 'audio/wav' } }),
    (request) => {
      steps.push(`requested ${request.headers.get('range')}`);
      return answerWith(request, whole);
    },
  );
  await saveMedia(client, 'mem_1', 'audio', intoFolder);
  expect(steps).toEqual(['ended', 'requested bytes=5000-']);
});

test.each<[string, () => string | Promise<string>, object]>([
  ['throws', () => mkdirSync(folder) as never, { code: 'EEXIST', message: expect.not.stringContaining('save media') }],
  ['rejects', () => Promise.reject(new RangeError('no')), { name: 'RangeError', message: 'no' }],
  ['returns no path', () => 7 as never, { message: expect.stringContaining('path is 7, which is not a string') }],
  ['names a folder that is missing', () => join(folder, 'none', 'a'), { message: expect.stringContaining('Create') }],
])('a function that %s ends the call and the connection', async (_title, name, problem) => {
  const cancel = vi.fn();
  const { client } = createClient(() => new Response(new ReadableStream({ cancel }), { headers: { etag: '"v1"' } }));
  expect(await rejection(saveMedia(client, 'mem_1', 'audio', name))).toMatchObject(problem);
  await vi.waitFor(() => expect(cancel).toHaveBeenCalled());
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, object, object]>([
  ['the total timeout', { totalTimeout: 20 }, { code: 'timeout', limit: 'total' }],
  ['an abort', { signal: AbortSignal.timeout(20) }, { name: 'TimeoutError' }],
])('%s does not wait for the function', async (_title, options, expected) => {
  const call = saveMedia(createClient(whole).client, 'mem_1', 'audio', () => new Promise(() => {}), options);
  expect(await rejection(call)).toMatchObject(expected);
});

test('a sign-in page is refused before the function is called', async () => {
  const name = vi.fn();
  const { client } = createClient(() => new Response('<p>', { headers: { 'content-type': 'text/html' } }));
  expect(await rejection(saveMedia(client, 'mem_1', 'audio', name))).toMatchObject({ reason: 'invalid' });
  expect(name).not.toHaveBeenCalled();
});

test('an abort keeps the partial file, and rejects with its own reason', async () => {
  const controller = new AbortController();
  const { client } = createClient(whole);
  const reason = Object.assign(new Error('Stop.'), { syscall: 'x', code: 'ENOSPC' });
  const onProgress = ({ bytesReceived }: { bytesReceived: number }) =>
    bytesReceived > 5_000 && controller.abort(reason);
  const call = saveMedia(client, 'mem_1', 'audio', path, { signal: controller.signal, onProgress });
  expect(await rejection(call)).toBe(reason);
  expect(await save(createClient(whole).client)).toMatchObject({ resumedFrom: 4_096 });
});

test('several calls for one file leave it complete', async () => {
  const answers = Array<Answer>(8).fill({ ...whole, chunkSize: 512 });
  const { client } = createClient(...answers);
  const results = await Promise.all(answers.map(() => save(client)));
  expect(results.map(({ size }) => size)).toEqual(answers.map(() => 20_000));
  expectSaved();
});

test('a slower call never writes into the finished file', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const pull = async (controller: ReadableStreamDefaultController) => {
    controller.enqueue(bytes.slice(0, 10_000));
    await promise;
    controller.enqueue(bytes.slice(10_000));
    controller.close();
  };
  const headers = { etag: '"v1"', 'content-length': '20000' };
  const slow = save(createClient(() => new Response(new ReadableStream({ pull }), { headers })).client);
  await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(1));
  await save(createClient(whole).client);
  linkSync(path, join(folder, 'first.wav'));
  writeFileSync(path, 'edited');
  resolve();
  expect(await slow).toMatchObject({ size: 20_000 });
  expect(readFileSync(join(folder, 'first.wav'), 'utf8')).toBe('edited');
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['a.wav', 'first.wav']);
});

test('unknownEnd decides whether a body with an undetectable end replaces a file; a chunked one does', async () => {
  const saveWith = (unknownEnd: unknown, headers = {}) => {
    const { client } = createClient(answer(headers));
    return saveMedia(client, 'mem_1', 'audio', path, { unknownEnd } as never);
  };
  writeFileSync(path, 'old');
  const message = expect.stringMatching(/the storage sent no size.*unknownEnd: 'accept'/);
  for (const given of [undefined, 'refuse'])
    expect(await rejection(saveWith(given))).toMatchObject({ name: 'MediaDownloadError', reason: 'invalid', message });
  expect(await rejection(saveWith('Accept'))).toMatchObject({ code: 'configuration', option: 'unknownEnd' });
  expectOld();
  expect(await saveWith('accept')).toMatchObject({ size: 20_000 });
  expectSaved();
  writeFileSync(path, 'old');
  await saveWith(undefined, { 'transfer-encoding': 'chunked' });
  expectSaved();
});

test('an abort with the error of another download leaves the partial file', async () => {
  const rest = await leaveRest();
  const changed = new MediaDownloadError('It has changed.', { reason: 'changed', bytesReceived: 0 });
  const aborting = new AbortController();
  const { client } = createClient(() => {
    aborting.abort(changed);
    return new Response('x', { status: 503 });
  });
  const { signal } = aborting;
  expect(await rejection(saveMedia(client, 'mem_1', 'audio', path, { signal }))).toBe(changed);
  expect(readFileSync(rest).length).toBe(5_000);
});

const types = `text/html text/html;charset=utf-8 text/json application/json application/problem+json application/xml
  application/vnd.spring-boot.actuator.v3+json audio/wav,text/html`.split(/\s+/);

test.each([...types, undefined])('a page or message of a proxy, labelled %s, does not replace a file', async (type) => {
  writeFileSync(path, 'old');
  const page = new TextEncoder().encode('\n<!DOCTYPE html>');
  const answer = () =>
    new Response(page, { headers: { 'content-length': '16', ...(type && { 'content-type': type }) } });
  const sent = type?.replace(/;.*|^.*,/, '') ?? 'a page';
  expect(await rejection(save(createClient(answer).client))).toMatchObject({
    reason: 'invalid',
    message: `Failed to save media: the storage sent ${sent}, which is not media. Check the storage and any proxy.`,
  });
  expectOld();
});

test('a file from a forbidden origin is not requested, and an old file stays', async () => {
  writeFileSync(path, 'old');
  const { client, ranges } = createClient(whole);
  const strict = client.withOptions({ mediaOrigins: ['https://media.example.com'] });
  expect(await rejection(save(strict))).toMatchObject({ reason: 'forbidden_origin' });
  expect(ranges).toEqual([]);
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(await save(strict.withOptions({ mediaOrigins: ['https://*.example.com'] }))).toMatchObject({ size: 20_000 });
});

test('the storage gets neither the key nor a header of the client, and hooks do not report its requests', async () => {
  const received: Request[] = [];
  const reported: string[] = [];
  const report = ({ url }: { url: string }) => reported.push(url);
  const { client } = createClient((request) => {
    received.push(request);
    return answerWith(request, whole);
  });
  const observed = client.withOptions({
    headers: { 'x-team': 'blue' },
    hooks: { onRequest: report, onResponse: report, onEnd: report },
  });
  await save(observed);
  expect(received.map(({ headers }) => Object.fromEntries(headers))).toEqual([{ 'accept-encoding': 'identity' }]);
  expect(reported).toEqual(Array(3).fill('https://api.example.com/v1/memories/mem_1'));
});

test('invalid responses do not remove the partial file', async () => {
  await leaveRest();
  const zipped = answer({ 'content-encoding': 'gzip' });
  const { client, ranges } = createClient(zipped, zipped);
  expect(await rejection(save(client))).toMatchObject({ name: 'MediaDownloadError', reason: 'invalid' });
  expect(ranges).toEqual(['bytes=5000-', null]);
  expect(await save(createClient(whole).client)).toEqual({ path, ...fields, resumedFrom: 5_000 });
  expectSaved();
});

test('resumes from the latest of several partial files, and removes all', async () => {
  const rest = await leaveRest();
  const older = rest.replace(/-[^-]*$/, `-${Buffer.from('"v0"').toString('hex')}.00.part`);
  writeFileSync(older, bytes.subarray(0, 9_000));
  utimesSync(older, 1, 1);
  writeFileSync(rest.replace(/-[^-]*$/, '-.00.part'), 'without an ETag');
  expect(await save(createClient(whole).client)).toMatchObject({ resumedFrom: 5_000 });
  expect(readdirSync(folder)).toEqual(['a.wav']);
});

test('a crash while a partial file is copied does not prevent the next call from using it', async () => {
  const rest = await leaveRest();
  const copy = rest.replace(/\.[^.]*\.part$/, '.00.part');
  writeFileSync(copy, bytes.subarray(0, 1_000), { mode: 0o600 });
  utimesSync(rest, 1, 1);
  const { client, ranges } = createClient(whole);
  expect(await save(client)).toMatchObject({ resumedFrom: 5_000 });
  expect(ranges).toEqual(['bytes=5000-']);
  expectSaved();
});

test('the file is synced before it is renamed, and the folder before the call ends', async () => {
  writeFileSync(path, 'old');
  const handle = await open(path);
  const synchronise = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync');
  await handle.close();
  const seen: unknown[] = [];
  synchronise.mockImplementation(async function (this: FileHandle) {
    const status = await this.stat();
    seen.push([status.isDirectory() ? 'folder' : status.size, statSync(path).size]);
  });
  await save(createClient(whole).client).finally(() => synchronise.mockRestore());
  expect(seen).toEqual([
    [20_000, 3],
    ['folder', 20_000],
  ]);
});

test.each([0o600, 0o444, 0o755])('keeps the permissions %o of a file', async (mode) => {
  writeFileSync(path, 'old');
  chmodSync(path, mode);
  await save(createClient(whole).client);
  expect(statSync(path).mode & 0o777).toBe(mode);
});

test('a new file has default permissions, and a partial file those of a secret', async () => {
  const rest = await leaveRest();
  expect(statSync(rest).mode & 0o777).toBe(0o600);
  await save(createClient(whole).client);
  writeFileSync(join(folder, 'new'), '');
  expect(statSync(path).mode).toBe(statSync(join(folder, 'new')).mode);
});

test.each<[string, (rest: string, victim: string) => void]>([
  ['a symbolic link', (rest, victim) => symlinkSync(victim, rest)],
  ['a hard link', (rest, victim) => linkSync(victim, rest)],
  ['a pipe', pipe],
  ['a folder', (rest) => mkdirSync(rest)],
  ['a file that anyone may write', (rest) => [writeFileSync(rest, 'precious'), chmodSync(rest, 0o666)]],
  [
    'a file of another user',
    (rest) => {
      writeFileSync(rest, 'precious', { mode: 0o600 });
      vi.spyOn(process, 'getuid').mockReturnValue(statSync(rest).uid + 1);
    },
  ],
])('does not use %s in place of a partial file', async (_title, disguise) => {
  const victim = join(folder, 'victim');
  const rest = await leaveRest();
  writeFileSync(victim, 'precious');
  rmSync(rest);
  disguise(rest, victim);
  const { client, ranges } = createClient(whole);
  expect(await save(client)).toMatchObject({ resumedFrom: 0 });
  expect(ranges).toEqual([null]);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(readFileSync(victim, 'utf8')).toBe('precious');
  expect(lstatSync(path).isFile()).toBe(true);
});

test('reports the path of a file in a linked folder as it was passed', async () => {
  mkdirSync(join(folder, 'deep'));
  symlinkSync('deep', join(folder, 'linked'));
  const saved = await save(createClient(whole).client, join(folder, 'linked', 'b.wav'));
  expect(saved.path).toBe(join(folder, 'deep', 'b.wav'));
});

test.each<[string, unknown]>([
  ['no path', undefined],
  ['an empty path', ''],
  ['a NUL in the path', 'a\0.wav'],
])('%s is a ConfigurationError before any request', async (_title, to) => {
  const { client, ranges } = createClient(whole);
  expect(await rejection(saveMedia(client, 'mem_1', 'audio', to as string))).toMatchObject({
    name: 'ConfigurationError',
  });
  expect(ranges).toEqual([]);
});
