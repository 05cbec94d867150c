import fs, { appendFileSync, cpSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { shortHash } from '../history/stored-memories.ts';
import { type Mirror, openMirror } from '../mirror.ts';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { filesWith } from '../testing/read-folder.ts';

const pages = { timeZone: 'Asia/Tokyo' };
const unchanged = { written: 0, warnings: [], logPending: false };
const herPage = 'pages/people/Ada Quokka.md';

test('leaves a purge that was killed at any step either not begun, or finished by the next opening', async () => {
  const { killed, left } = await inSteps(async (mirror, left) => {
    expect(await mirror.purge('mem_secret')).toMatchObject({ purged: true, ...left });
  });
  let [begun, ended] = [0, 0];
  for (const [step, folder] of killed.entries()) {
    const { isBegun, isEnded } = stateOf(folder, `memories WHERE memory_id = 'mem_secret'`);
    const mirror = await openMirror({ folder });
    ended += Number(isEnded);
    if (isBegun) begun += 1;
    else {
      expect(await mirror.getMemory('mem_secret')).toMatchObject({ version: 1, names: { 'Speaker 1': 'Ada Quokka' } });
      expect(filesWith(join(folder, 'pages'), 'zebra'), `step ${step}`).toHaveLength(1);
    }
    if (!isEnded) expect(await mirror.purge('mem_secret'), `step ${step}`).toMatchObject({ purged: true, ...left });
    expect(await mirror.getMemory('stays')).toMatchObject({ memory: { name: 'Stays' }, names: { 'Speaker 1': 'Bob' } });
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('Stays');
    expect(await mirror.writePages(pages)).toEqual({ ...unchanged, unchanged: 1 });
    for (const text of ['mem_secret', 'zebra', 'walrus']) expect(filesWith(folder, text), `step ${step}`).toEqual([]);
    expect(filesWith(folder, 'Quokka'), `step ${step}`).toEqual([join(folder, herPage)]);
    await mirror.close();
  }
  expect(begun - ended).toBeGreaterThan(20);
  expect(killed.length - begun).toBeGreaterThan(5);
});

test('leaves a person who was being forgotten at any step either known, or forgotten by the next opening', async () => {
  const left = { leftFiles: [herPage] };
  const { killed } = await inSteps(async (mirror) => {
    expect(await mirror.people.forget('Ada Quokka')).toEqual({ forgotten: true, ...left });
  });
  let [begun, ended] = [0, 0];
  for (const [step, folder] of killed.entries()) {
    const { isBegun, isEnded } = stateOf(folder, `people WHERE name = 'Ada Quokka'`);
    const mirror = await openMirror({ folder });
    ended += Number(isEnded);
    if (isBegun) begun += 1;
    else expect(await mirror.getMemory('mem_secret')).toMatchObject({ names: { 'Speaker 1': 'Ada Quokka' } });
    if (!isEnded) expect(await mirror.people.forget('Ada Quokka'), `step ${step}`).toMatchObject(left);
    expect({ ...(await mirror.getMemory('mem_secret'))?.names }).toEqual({});
    expect(await mirror.getMemory('stays')).toMatchObject({ names: { 'Speaker 1': 'Bob' } });
    expect(filesWith(join(folder, 'pages'), 'Speaker 1'), `step ${step}`).toHaveLength(2);
    expect(await mirror.writePages(pages)).toEqual({ ...unchanged, unchanged: 2 });
    expect(filesWith(folder, 'Quokka'), `step ${step}`).toEqual([join(folder, herPage)]);
    await mirror.close();
  }
  expect(begun - ended).toBeGreaterThan(20);
  expect(killed.length - begun).toBeGreaterThan(5);
});

/** Runs work that purges, and returns a copy of the folder before each step, as a killed process would leave it. */
async function inSteps(purge: (mirror: Mirror, left: object) => Promise<void>) {
  const { folder, keep, database } = openTestMirror();
  const summary = { quick_summary: 'Secret walrus.', key_takeaways: [] };
  const audio = `media/${shortHash('mem_secret')}/audio-1.wav`;
  keep({ id: 'mem_secret', name: 'Quarterly zebra', summary }, { media: { audio } });
  keep({ id: 'stays', name: 'Stays' });
  database.close();
  const mirror = await openMirror({ folder });
  await mirror.people.name('mem_secret', 'Speaker 1', 'Ada Quokka');
  await mirror.people.name('stays', 'Speaker 1', 'Bob');
  await mirror.writePages(pages);
  appendFileSync(join(folder, herPage), 'Mine.');

  const copies = makeFolder();
  const [edited = '', away = ''] = ['edited', 'away'].map((name) => join(copies, name));
  for (const path of [edited, away]) await mirror.exportFiles(path, { formats: ['srt'], timeZone: 'UTC' });
  renameSync(away, join(copies, 'disk'));
  const name = readdirSync(edited).find((name) => name.includes('zebra')) ?? '';
  appendFileSync(join(edited, name), 'Mine.');
  const left = { leftFiles: [herPage, join(edited, name)], pendingFolders: [away] };
  const killed: string[] = [];
  const beforeEachStep = <Target extends object>(target: Target, ...names: (keyof Target & string)[]) => {
    for (const name of names) {
      const original = target[name] as (...args: unknown[]) => unknown;
      vi.spyOn(target, name as never).mockImplementation(function (this: unknown, ...args: unknown[]) {
        const copy = join(copies, String(killed.length));
        cpSync(folder, copy, { recursive: true });
        killed.push(copy);
        return original.apply(this, args);
      } as never);
    }
  };
  beforeEachStep(fs, 'rmSync', 'renameSync', 'writeFileSync');
  syncBuiltinESMExports();
  beforeEachStep(DatabaseSync.prototype, 'exec');
  beforeEachStep(StatementSync.prototype, 'run', 'get');
  try {
    await purge(mirror, left);
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  await mirror.close();
  return { killed, left };
}

/** Returns what a reader sees, which does not finish a purge. */
function stateOf(folder: string, purged: string) {
  const database = openDatabase(folder, { readOnly: true });
  const isIn = (table: string) => database.prepare(`SELECT 1 FROM ${table}`).get() !== undefined;
  const isBegun = !isIn(purged);
  const isEnded = isBegun && !isIn('pending_purges');
  database.close();
  return { isBegun, isEnded };
}
