import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Account, audio, createAccount } from '../testing/create-account.ts';
import { TestProcess } from '../testing/test-process.ts';
import type { ArchivePart } from './archive-part.ts';
import { ArchiveReport } from './archive-report.ts';
import { runArchive } from './run-archive.ts';

/** The simulated disk. After the crash, it accepts no write, or with `isBack` it fails only once. */
const disk = vi.hoisted(() => ({ writes: 0, diesAt: Number.POSITIVE_INFINITY, diesBefore: '', isBack: false }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const mortal = <Arguments extends unknown[]>(write: (...args: Arguments) => unknown) => {
    return (...args: Arguments) => {
      disk.writes += 1;
      if (disk.diesBefore && String(args[1]).endsWith(disk.diesBefore)) disk.diesAt = disk.writes;
      if (disk.writes < disk.diesAt || (disk.isBack && disk.writes > disk.diesAt)) return write(...args);
      const [place, content] = args;
      // The last write may have reached the disk only in part.
      if (disk.writes === disk.diesAt && typeof content === 'string' && typeof place === 'number') {
        fs.writeSync(place, content.slice(0, content.length / 2));
      }
      throw new Error('dead');
    };
  };
  const { writeFileSync, linkSync, renameSync, rmSync, unlinkSync } = fs;
  return {
    ...fs,
    // Only the process dies, not the machine, so every finished write is on the disk without a sync.
    fsyncSync: () => {},
    fdatasyncSync: () => {},
    writeFileSync: mortal(writeFileSync),
    linkSync: mortal(linkSync),
    renameSync: mortal(renameSync),
    rmSync: mortal(rmSync),
    unlinkSync: mortal(unlinkSync),
  };
});

const everything = ['json', 'vtt', 'audio', 'video', 'preview_image'] as const;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-read-crash-'));
  return () => {
    disk.diesAt = Number.POSITIVE_INFINITY;
    disk.isBack = false;
    rmSync(folder, { recursive: true });
  };
});

async function run({ client }: Account, parts: readonly ArchivePart[] = everything): Promise<number> {
  const report = new ArchiveReport(new TestProcess(), { update() {} }, async () => {});
  const { signal } = new AbortController();
  await runArchive(folder, { client, parts, concurrency: 1, report, signal });
  return report.counts.failed;
}

const contents = () =>
  readdirSync(folder, { recursive: true }).map((name) => {
    const path = join(folder, String(name));
    return [name, name === '.memory-read' ? '' : readFileSync(path, 'utf8')];
  });

const before = { media: audio };
const after = { name: 'Noon', duration_seconds: 900, media: audio };
// Both have the same size, so that only the digest differs.
const [oldMedia, newMedia] = [1, 2].map((byte) => new Uint8Array(2_000).fill(byte)) as [Media, Media];
type Media = Account['media'];

/** Completes a folder, changes the account, and lets the next run crash at this write. */
async function dieWith(write: number, account: Account, arm: () => void = () => {}): Promise<void> {
  disk.diesAt = Number.POSITIVE_INFINITY;
  rmSync(folder, { recursive: true });
  account.media = oldMedia;
  await account.put(before);
  await run(account);
  account.media = newMedia;
  await account.put(after);
  disk.writes = 0;
  disk.diesAt = write;
  arm();
  await run(account).catch(() => {});
  disk.diesBefore = '';
  disk.diesAt = Number.POSITIVE_INFINITY;
}

test('after a crash at any write, no file is incomplete and the next run saves everything', async () => {
  const account = await createAccount();
  await dieWith(1, account);
  const ofBefore = Object.fromEntries(contents());
  await dieWith(Number.POSITIVE_INFINITY, account);
  const ofAfter = Object.fromEntries(contents());
  const { writes } = disk;
  expect(writes).toBeGreaterThan(10);
  for (let write = 1; write <= writes; write += 1) {
    await dieWith(write, account);
    for (const name of readdirSync(folder).filter((each) => each.startsWith('Morning'))) {
      expect([ofBefore[name], ofAfter[name]], `${name}, dead at ${write}`).toContain(
        readFileSync(join(folder, name), 'utf8'),
      );
    }
    expect(await run(account), `dead at ${write}`).toBe(0);
    expect(Object.fromEntries(contents()), `dead at ${write}`).toEqual(ofAfter);
    account.requests.length = 0;
    await run(account);
    expect(account.requests, `dead at ${write}`).toEqual(['/v1/memories']);
  }
});

test.each([
  ['wherever the process dies', false],
  ['whichever single write fails', true],
])('%s, later runs still recognize the files as their own', async (_title, isBack) => {
  disk.isBack = isBack;
  const account = await createAccount();
  await dieWith(Number.POSITIVE_INFINITY, account);
  const { writes } = disk;
  for (let write = 1; write <= writes; write += 1) {
    await dieWith(write, account);
    account.intercept = (path) => (path === '/v1/memories' ? undefined : new Response('', { status: 451 }));
    await run(account);
    account.intercept = () => undefined;
    expect(await run(account, ['srt']), `dead at ${write}`).toBe(0);
    account.media = new Uint8Array(2_000).fill(3);
    await account.put({ ...after, name: 'Night', duration_seconds: 1_200 });
    expect(await run(account), `dead at ${write}`).toBe(0);
    expect(readFileSync(join(folder, 'Morning 22132404.json'), 'utf8')).toContain('"Night"');
    expect(readFileSync(join(folder, 'Morning 22132404.audio.wav')).equals(account.media)).toBe(true);
  }
});

test('after a crash at any write of the first run, the folder belongs to its account and the next run saves everything', async () => {
  const account = await createAccount({ media: audio });
  disk.writes = 0;
  await run(account);
  const whole = Object.fromEntries(contents());
  const writes = disk.writes;
  for (let diesAt = 1; diesAt <= writes; diesAt += 1) {
    disk.diesAt = Number.POSITIVE_INFINITY;
    rmSync(folder, { recursive: true });
    disk.writes = 0;
    disk.diesAt = diesAt;
    await run(account).catch(() => {});
    disk.diesAt = Number.POSITIVE_INFINITY;
    account.change = (memory) => ({ ...memory, user_id: 'user_2' });
    const isOwned = readdirSync(folder).some((name) => name.startsWith('Morning'));
    if (isOwned) await expect(run(account), `dead at ${diesAt}`).rejects.toThrow('another account');
    account.change = (memory) => memory;
    if (isOwned) expect(await run(account), `dead at ${diesAt}`).toBe(0);
    if (isOwned) expect(Object.fromEntries(contents()), `dead at ${diesAt}`).toEqual(whole);
  }
});

/**
 * Completes a folder, changes the account, and lets the next run crash before it moves a file of this name to its
 * place.
 */
async function dieBefore(end: string, account: Account): Promise<void> {
  await dieWith(Number.POSITIVE_INFINITY, account, () => {
    disk.diesBefore = end;
  });
}

const recording = () => readFileSync(join(folder, 'Morning 22132404.audio.wav'));
const digestsAreTrue = () =>
  JSON.parse(readFileSync(join(folder, 'memory-read.json'), 'utf8')).memories.every(({ files }: { files: Files }) =>
    Object.values(files).every(({ path, sha256, pending }) => {
      const bytes = readFileSync(join(folder, path));
      return pending === undefined && createHash('sha256').update(bytes).digest('hex') === sha256;
    }),
  );
type Files = Record<string, { path: string; sha256: string; pending?: object }>;

test.each<[string, Parameters<Account['put']>[0]]>([
  ['a memory back in processing', { ...after, is_processing: true, transcript: null, summary: null }],
  ['media that are null', { ...after, media: {} }],
])('finishes the interrupted move of a recording, even if the next run reads %s', async (_title, record) => {
  const account = await createAccount();
  await dieBefore('.audio.wav', account);
  expect(recording().equals(oldMedia)).toBe(true);
  account.media = new Uint8Array(7).fill(9);
  await account.put(record);
  expect(await run(account)).toBe(0);
  expect(recording().equals(newMedia)).toBe(true);
  expect(digestsAreTrue()).toBe(true);
});

test('keeps the old recording if the new one is lost in a crash, even while the memory is processing again', async () => {
  const account = await createAccount();
  await dieBefore('.audio.wav', account);
  for (const name of readdirSync(join(folder, '.memory-read'))) {
    if (name.endsWith('.media')) rmSync(join(folder, '.memory-read', name));
  }
  account.media = new Uint8Array(7).fill(9);
  await account.put({ ...after, is_processing: true });
  await run(account);
  expect(recording().equals(oldMedia)).toBe(true);
  expect(digestsAreTrue()).toBe(true);
  account.media = newMedia;
  await account.put(after);
  await run(account);
  expect(recording().equals(newMedia)).toBe(true);
});

test.each<[string, (account: Account) => Promise<void>]>([
  ['whose transcript is null by then', (account) => account.put({ ...after, transcript: null, summary: null })],
  ['that is gone by then', (account) => account.put({ id: 'mem_2' }).then(() => account.remove('mem_1'))],
])('after a crash between two texts of a memory %s, a later run changes nothing more', async (_title, change) => {
  const account = await createAccount();
  await dieBefore('.vtt', account);
  await change(account);
  expect(await run(account)).toBe(0);
  expect(digestsAreTrue()).toBe(true);
  disk.writes = 0;
  await run(account);
  expect(disk.writes).toBe(0);
});
