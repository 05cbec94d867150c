/**
 * node --conditions=@memory-read/source full-disk-process.ts FOLDER database|recording
 *
 * Syncs a mirror in FOLDER, whose disk is small: first with a full disk, then with little free space, at last with
 * enough space. Prints the results as JSON.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import type { MemoryRecord } from '@memory-read/contract';
import { type Mirror, openMirror, type SyncReport } from '@memory-read/mirror';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount, createMemoryService, mediaFrom } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';

const MEMORIES = 12;
const RECORDING = 400_000;

const [disk = '', full = ''] = process.argv.slice(2);
const isRecording = full === 'recording';
const folder = join(disk, 'mirror');
const filler = join(disk, 'filler');
const baseUrl = 'https://api.example.com';

/** Fills the disk except for some bytes. */
function fill(bytesLeft: number): void {
  rmSync(filler, { force: true });
  try {
    for (;;) writeFileSync(filler, new Uint8Array(65_536), { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  const { length } = readFileSync(filler);
  writeFileSync(filler, new Uint8Array(length - bytesLeft));
}

function recordOf(index: number): MemoryRecord {
  const time = '2026-08-20T10:00:00Z';
  // Words that occur once each, so that the index grows too.
  const textOf = (segment: number) => Array.from({ length: 40 }, (_item, word) => `w${index}x${segment}x${word}`);
  const segments = Array.from({ length: isRecording ? 1 : 250 }, (_item, segment) => {
    const text = textOf(segment).join(' ');
    return { speaker: `Speaker ${segment % 2}`, start_at: time, end_at: time, text };
  });
  const media = isRecording ? { audio: { object_key: 'talk.wav', content_type: 'audio/wav' } } : {};
  return sampleRecord({ id: `mem_${index}`, transcript: { segments }, media });
}

async function sync(mirror: Mirror): Promise<Omit<SyncReport, 'failed'> | { error: unknown }> {
  try {
    const { failed, ...report } = await mirror.sync(client, { media: isRecording });
    return failed.length > 0 ? { error: failed } : report;
  } catch (error) {
    return { error: describe(error) };
  }
}

function describe(error: unknown): Record<string, unknown> {
  const { name, code, message } = error as Error & { code?: unknown };
  return { name, code, message: message.replaceAll(disk, 'DISK') };
}

/** Returns how much of the account a mirror has, and whether each of its memories is complete. */
async function look(mirror: Mirror): Promise<{ memories: number; recordings: number; isWhole: boolean }> {
  const { memories } = await mirror.listMemories({ limit: 1_000 });
  let recordings = 0;
  let isWhole = true;
  for (const { memory } of memories) {
    const kept = await mirror.getMemory(memory.id);
    const index = memory.id.slice('mem_'.length);
    const last = (kept?.memory.transcript?.segments.length ?? 0) - 1;
    const { hits } = await mirror.search(`w${index}x${last}x39`);
    isWhole &&= hits.length === 1 && kept?.memory.transcript?.segments.length === (isRecording ? 1 : 250);
    const { path } = kept?.media.audio ?? {};
    if (path === undefined) continue;
    recordings += 1;
    isWhole &&= readFileSync(join(folder, path)).equals(recording);
  }
  return { memories: memories.length, recordings, isWhole };
}

const store = createInMemoryStore();
const recording = new Uint8Array(RECORDING).map((_byte, index) => index % 251);
const { key } = await addAccount(
  store,
  'user_1',
  Array.from({ length: MEMORIES }, (_item, index) => recordOf(index)),
);
const { fetch } = createMemoryService(store, baseUrl, { source: mediaFrom(() => recording) });
const client = new MemoryClient({ baseUrl, apiKey: key, fetch, retries: 0 });

fill(0);
const opened = await openMirror({ folder }).then(
  () => ({}),
  (error: unknown) => describe(error),
);
fill(2_500_000);
let mirror = await openMirror({ folder });
const spent = await sync(mirror);
const kept = await look(mirror);
await mirror.close();
rmSync(filler);
mirror = await openMirror({ folder });
const keptLater = await look(mirror);
const completed = await sync(mirror);
const all = await look(mirror);
await mirror.close();
const partial = readdirSync(folder, { recursive: true }).filter((path) => String(path).endsWith('.part'));
process.stdout.write(JSON.stringify({ opened, spent, kept, keptLater, completed, all, partial }));
