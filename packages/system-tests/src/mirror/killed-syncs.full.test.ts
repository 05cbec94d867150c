import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { openMirror } from '@memory-read/mirror';
import { createInMemoryStore } from '@memory-read/server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount, mediaFrom } from '@memory-read/test-kit/memory-service';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { serveMemories } from '@memory-read/test-kit/serve-memories';
import { expect, test } from 'vitest';
import { startProgram } from './start-program.ts';

const MEMORIES = 8;
const recording = new Uint8Array(300_000).map((_byte, index) => index % 251);
const ids = Array.from({ length: MEMORIES }, (_item, index) => `mem${index}`);
/** Before the response to a request, in its body, or soon after it. */
const moments = ['before', 'in', 'after'] as const;

/** The end of a process. */
interface Kill {
  request: number;
  moment: (typeof moments)[number];
}

test('leaves complete memories when syncs are killed a hundred times, and completes in the next one', {
  timeout: 600_000,
}, async () => {
  const { lanes, kills } = runCounts.killedSyncs.full;
  await using account = await openAccount();
  const whole = makeFolder();
  // Only a process that ends by itself writes the cache.
  expect(await account.run(whole)).toBe(0);
  const expected = await contentOf(whole);
  // A recording, its captions and its page for each memory, the index, and its script.
  expect(Object.keys(expected.files)).toHaveLength(MEMORIES * 3 + 2);

  const counts = await Promise.all(Array.from({ length: lanes }, () => killSyncs(kills, expected)));
  const killed = counts.flat();
  expect(killed).toHaveLength(lanes * kills);
  // Kills occurred at each moment, before the first memory, and between the first and the last recording.
  expect(new Set(killed.map(({ moment }) => moment)).size).toBe(moments.length);
  expect(killed.some(({ memories }) => memories === 0)).toBe(true);
  expect(killed.some(({ recordings }) => recordings > 0 && recordings < MEMORIES)).toBe(true);
});

type Killed = Kill & { memories: number; recordings: number };

/** Kills processes, and begins with another mirror whenever one is complete. */
async function killSyncs(kills: number, expected: unknown): Promise<Killed[]> {
  await using account = await openAccount();
  const killed: Killed[] = [];
  while (killed.length < kills) {
    const folder = makeFolder();
    await (await openMirror({ folder })).close();
    const reader = startProgram('reader-process.ts', [folder]);
    const read = text(reader.stdout);
    while (killed.length < kills) {
      const kill: Kill = {
        // The first kill is before the first list, so that one mirror has no memory yet.
        request: killed.length === 0 ? 0 : Math.floor(Math.random() * 8),
        moment: moments[killed.length % moments.length] ?? 'in',
      };
      if ((await account.run(folder, kill)) === 0) break;
      killed.push({ ...kill, ...(await readWhole(folder)) });
    }
    expect(await account.run(folder)).toBe(0);
    reader.stdin.end();
    expect(JSON.parse((await read) || 'null')).toEqual({ reads: expect.any(Number), most: expect.any(Number) });
    expect(await contentOf(folder)).toEqual(expected);
  }
  return killed;
}

/** A server whose clients are processes that it kills. One at a time is served. */
async function openAccount() {
  const store = createInMemoryStore();
  const { key } = await addAccount(store, 'user_1', ids.map(recordOf));
  let child: ChildProcess | undefined;
  let kill: Kill | undefined;
  let requests = 0;
  const server = await serveMemories(store, {
    source: mediaFrom(() => recording),
    async around(_request, answer) {
      const isLast = requests === kill?.request;
      requests += 1;
      if (isLast && kill?.moment === 'before') child?.kill('SIGKILL');
      const response = await answer();
      if (!isLast || kill?.moment === 'before') return response;
      const end = () => child?.kill('SIGKILL');
      // At this point, the process writes the received data to the database or to a file.
      if (kill?.moment === 'after') setTimeout(end, Math.random() * 40);
      return kill?.moment === 'in' ? cutResponse(response, end) : response;
    },
  });
  return {
    /** Runs a sync, and returns the exit code; null if it was killed. */
    async run(folder: string, when?: Kill): Promise<number | null> {
      [kill, requests] = [when, 0];
      child = startProgram('sync-process.ts', [folder, server.baseUrl], { KEY: key });
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Sends half of the body, and then stalls. */
async function cutResponse(response: Response, end: () => void): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length / 2));
      setTimeout(end, Math.random() * 20);
    },
  });
  const headers = new Headers(response.headers);
  headers.set('content-length', String(bytes.length));
  return new Response(body, { status: response.status, headers });
}

function recordOf(id: string, index: number) {
  const at = `2026-03-${10 + index}T09:00:00.000Z`;
  return sampleRecord({
    id,
    started_at: at,
    transcript: { segments: [{ speaker: 'Ada', start_at: at, end_at: at, text: `said${id}` }] },
    media: { audio: { object_key: `${id}.wav`, content_type: 'audio/wav' } },
  });
}

/** Reads a mirror whose sync was killed. It can have fewer memories, but each of them is complete. */
async function readWhole(folder: string): Promise<{ memories: number; recordings: number }> {
  const database = new DatabaseSync(join(folder, 'mirror.sqlite'), { readOnly: true });
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  database.close();
  const mirror = await openMirror({ folder, readOnly: true });
  let [memories, recordings] = [0, 0];
  for (const id of ids) {
    const kept = await mirror.getMemory(id);
    const { hits } = await mirror.search(`said${id}`);
    expect(hits.map(({ memoryId, version }) => [memoryId, version])).toEqual(kept ? [[id, kept.version]] : []);
    expect((await mirror.history(id)).map(({ type }) => type)).toEqual(kept ? ['added'] : []);
    memories += kept ? 1 : 0;
    if (kept?.media.audio === undefined) continue;
    recordings += 1;
    expect(readFileSync(join(folder, kept.media.audio.path)).equals(recording)).toBe(true);
  }
  await mirror.close();
  return { memories, recordings };
}

/** Returns the files of a complete mirror, byte for byte, and the rows of its tables. */
async function contentOf(folder: string) {
  const mirror = await openMirror({ folder });
  await mirror.writePages({ timeZone: 'UTC' });
  await mirror.close();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('mirror.'))
    .map(({ parentPath, name }) => join(parentPath, name));
  const database = new DatabaseSync(join(folder, 'mirror.sqlite'), { readOnly: true });
  const names = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%words%'",
  );
  const tables = names.all().map(({ name }) => [name, rowsOf(database, String(name))] as const);
  database.close();
  return {
    files: Object.fromEntries(files.map((path) => [relative(folder, path), readFileSync(path, 'latin1')])),
    tables: Object.fromEntries(tables),
  };
}

/** The port of the server, the times of reads and the stamps of files depend on the run, so they are removed. */
function rowsOf(database: DatabaseSync, table: string): unknown[] {
  const read = database.prepare(`SELECT * FROM "${table}" ORDER BY rowid`);
  read.setReadBigInts(true);
  return read.all().flatMap(({ read_at: _, stamp: __, ...row }) => (row.name === 'base_url' ? [] : [row]));
}
