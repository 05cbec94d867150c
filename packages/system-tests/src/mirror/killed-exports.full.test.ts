import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { type Mirror, openMirror, toDocument } from '@memory-read/mirror';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { mediaFrom } from '@memory-read/test-kit/memory-service';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { openClient } from './open-client.ts';
import { startProgram } from './start-program.ts';

const MEMORIES = 12;
const recording = new Uint8Array(30_000).map((_byte, index) => index % 251);
const at = '2026-03-01T09:00:00.000Z';
const start = (args: readonly string[]) => startProgram('export-process.ts', args);
/** The step in which a process is killed. */
const moments = ['renamed', 'saved', 'purge'] as const;

test('loses no file and leaves none behind when exports are killed, a hundred times in each step', {
  timeout: 900_000,
}, async () => {
  const { lanes, kills } = runCounts.killedExports.full;
  // Only a process that ends by itself writes the cache.
  await once(start([makeFolder(), makeFolder()]), 'exit');
  const killed = (await Promise.all(Array.from({ length: lanes }, (_lane, lane) => killExports(lane, kills)))).flat();
  expect(killed).toHaveLength(lanes * kills);
  for (const moment of moments) {
    expect(killed.filter((kill) => kill.moment === moment).length).toBeGreaterThanOrEqual(100);
  }
  // The account had changed before each kill, so that kills left some files renamed or written, and others not.
  expect(killed.filter(({ isHalf }) => isHalf).length).toBeGreaterThan(50);
  expect(killed.some(({ isPurged }) => isPurged)).toBe(true);
  expect(killed.some(({ moment, isPurged }) => moment === 'purge' && !isPurged)).toBe(true);
});

interface Killed {
  moment: (typeof moments)[number];
  /** Whether some files had the new names or texts, and some the old ones. */
  isHalf: boolean;
  isPurged: boolean;
}

async function killExports(lane: number, kills: number): Promise<Killed[]> {
  const [folder, exports] = [makeFolder(), join(makeFolder(), 'talks')];
  const { store, client } = await openClient([], { source: mediaFrom(() => recording) });
  let ids = Array.from({ length: MEMORIES }, (_memory, index) => `mem${index}x`);
  let purges = 0;
  const edited = new Map<string, string>();
  const killed: Killed[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const moment = moments[kill % moments.length] ?? 'saved';
    // The account changes: each memory has another name and other words, and a new one comes for one that was purged.
    while (ids.length < MEMORIES) ids = [...ids, `new${purges++}x`];
    await store.putMemories(
      'user_1',
      ids.map((id) => recordOf(id, kill)),
    );
    await inMirror(folder, (mirror) => mirror.sync(client, { media: ['audio'] }));
    const [victim = ''] = moment === 'purge' ? ids : [];
    await killOne([folder, exports, victim].filter(Boolean), moment, 1 + ((kill * 7 + lane) % (MEMORIES * 3)));
    const half = textsOf(exports);
    // Before every second run after a kill, all names change once more.
    if (kill % 2 === 1) {
      await store.putMemories(
        'user_1',
        ids.map((id) => recordOf(id, kill + 0.5)),
      );
      await inMirror(folder, (mirror) => mirror.sync(client, { media: ['audio'] }));
    }
    const isPurged = await inMirror(folder, async (mirror) => {
      const gone = moment === 'purge' && (await mirror.getMemory(victim)) === undefined;
      // The next run ends what the killed one began.
      const options = { formats: ['srt', 'markdown'] as const, media: ['audio'] as const, timeZone: 'UTC' };
      const report = await mirror.exportFiles(exports, options);
      expect(report.failed, `kill ${kill}`).toEqual([]);
      expect(report.kept.every(({ path }) => [...edited.keys()].some((id) => path.includes(`said ${id}`)))).toBe(true);
      return gone;
    });
    if (isPurged) {
      ids = ids.filter((id) => id !== victim);
      await store.deleteMemory('user_1', victim);
    }
    const texts = textsOf(exports);
    await inMirror(folder, (mirror) => compare(mirror, { texts, ids, edited, where: `lane ${lane}, kill ${kill}` }));
    const isLeft = [...texts.keys()].some((path) => path.includes(`said ${victim} `));
    if (isPurged) expect(isLeft, `kill ${kill}`).toBe(edited.has(victim));
    const states = [...half.keys()].map((path) => path.includes(` ${kill} said`));
    killed.push({ moment, isPurged, isHalf: states.includes(true) && states.includes(false) });
    // From time to time, the owner edits a file, which then moves with its memory for good.
    const mine = ids[kill % MEMORIES];
    if (kill % 10 === 5 && mine !== undefined && edited.size < 4 && !edited.has(mine)) {
      const path = [...texts.keys()].find((name) => name.includes(`said ${mine} `) && name.endsWith('.srt')) ?? '';
      edited.set(mine, `Mine ${kill}.`);
      writeFileSync(join(exports, path), `Mine ${kill}.`);
    }
  }
  return killed;
}

/** Compares every file of the folder with the memories of the mirror. No other file is there. */
async function compare(
  mirror: Mirror,
  { texts, ids, edited, where }: Record<'texts' | 'edited', Map<string, string>> & { ids: string[]; where: string },
): Promise<void> {
  const expected = new Map<string, string>();
  for (const id of ids) {
    const kept = await mirror.getMemory(id);
    if (kept === undefined) throw new TypeError(`The mirror lacks ${id}.`);
    const stem = [...texts.keys()].find((path) => path.includes(`${kept.memory.name} `))?.replace(/\.\w+$/, '') ?? '';
    const base = stem.replace(/ \(update 1\)$/, '');
    const [srt, markdown] = [toDocument(kept.memory, 'srt') ?? '', toDocument(kept.memory, 'markdown') ?? ''];
    expected.set(`${base}.md`, markdown).set(`${base}.mp3`, Buffer.from(recording).toString('latin1'));
    expected.set(`${base}.srt`, edited.get(id) ?? srt);
    const update = `${base} (update 1).srt`;
    if (edited.has(id) && texts.has(update)) expected.set(update, srt);
  }
  for (const [id, text] of edited) {
    const path = [...texts].find(([, found]) => found === text)?.[0];
    expect(path, `${where}: the edited file of ${id}`).toBeDefined();
    if (!ids.includes(id) && path !== undefined) expected.set(path, text);
  }
  expect(Object.fromEntries([...texts].sort()), where).toEqual(Object.fromEntries([...expected].sort()));
}

async function inMirror<Result>(folder: string, work: (mirror: Mirror) => Promise<Result>): Promise<Result> {
  const mirror = await openMirror({ folder });
  try {
    return await work(mirror);
  } finally {
    await mirror.close();
  }
}

function recordOf(id: string, version: number) {
  const text = `Words ${version} of ${id}.`;
  return sampleRecord({
    id,
    started_at: at,
    name: `Talk ${version} said ${id}`,
    transcript: { segments: [{ speaker: 'Ada', start_at: at, end_at: at, text }] },
    media: { audio: { object_key: `${id}.mp3`, content_type: 'audio/mpeg' } },
  });
}

/** Returns the files of a folder without its mark. */
function textsOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const own = paths.filter((path) => !path.endsWith('.memory-read-export'));
  return new Map(own.map((path) => [relative(folder, path), readFileSync(path, 'latin1')]));
}

/** Kills a process after a number of steps of a kind, or a little later. */
async function killOne(args: readonly string[], moment: string, count: number): Promise<void> {
  const child = start(args);
  const ended = once(child, 'exit');
  let left = moment === 'purge' ? 1 : count;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== moment) continue;
    left -= 1;
    if (left > 0) continue;
    setTimeout(() => child.kill('SIGKILL'), moment === 'purge' ? Math.random() * 60 : 0);
    break;
  }
  await ended;
}
