import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMirror } from '@memory-read/mirror';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, test } from 'vitest';
import { jsonLines, runCommand, startCommand } from './run-command.ts';
import { type MediaAccount, mediaOf, recordWithAudio, startMediaAccount } from './start-media-account.ts';
import { traces } from './traces.ts';

const size = 300_000;
const memories = 12;
const kills = runCounts.killedMirrors.short;

test('saves the whole changing account in the end when mirrors are killed at random points', async () => {
  const folder = join(makeFolder(), 'mirror');
  const account = await startMediaAccount(size);
  account.pace = 1;
  const places: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await account.put(...recordsOf(kill));
    places.push(await killOne(folder, account));
  }
  const where = `killed after ${places}`;
  const last = await runCommand(['mirror', folder], { env: account.env });
  expect(last, where).toMatchObject({ code: 0, stderr: '' });
  const total = memories + kills - 1;
  const counts = { complete: true, memories: total, done: total, edited: 0, failed: 0 };
  expect(jsonLines(last.stdout).at(-1), where).toMatchObject(counts);
  await expectAll(folder, account, where);
});

/** In each round, some memories get another name, and one is added. */
function recordsOf(round: number) {
  const numbers = Array.from({ length: memories + round }, (_item, index) => index);
  return numbers
    .filter((number) => round === 0 || number % 4 === round % 4 || number === memories + round - 1)
    .map((number) => recordWithAudio(number, { name: `Memory ${number} of round ${round}` }));
}

/** Kills a run a few requests and milliseconds after its start. */
async function killOne(folder: string, account: MediaAccount): Promise<string> {
  const requests = 1 + Math.floor(Math.random() * 24);
  const milliseconds = Math.floor(Math.random() * 40);
  const child = startCommand(['mirror', folder], { env: account.env });
  let seen = 0;
  account.onRequest = () => {
    seen += 1;
    if (seen === requests) setTimeout(() => child.kill('SIGKILL'), milliseconds);
    return undefined;
  };
  await once(child, 'exit');
  account.onRequest = () => undefined;
  return `${requests} requests and ${milliseconds} ms`;
}

/** Expects the content of a mirror that was never killed, one page for each memory, and no other file. */
async function expectAll(folder: string, account: MediaAccount, where: string): Promise<void> {
  const fresh = `${folder}-fresh`;
  await runCommand(['mirror', fresh], { env: account.env });
  const kept = await contentOf(folder);
  expect(kept, where).toEqual(await contentOf(fresh));
  for (const [id, { media }] of kept) {
    const bytes = readFileSync(join(folder, media.audio?.path ?? ''));
    expect(bytes.equals(mediaOf(`${id}.wav`, size)), `${id}, ${where}`).toBe(true);
  }
  expect(readdirSync(join(folder, 'pages'))).toHaveLength(kept.size);
  const files = (path: string) =>
    readdirSync(path, { recursive: true }).filter((name) => !String(name).startsWith('pages'));
  expect(files(folder).sort(), where).toEqual(files(fresh).sort());
  // A reader leaves two empty files of SQLite, which the next writer removes.
  await runCommand(['mirror', folder], { env: account.env });
  const before = traces(folder);
  account.requests.length = 0;
  await runCommand(['mirror', folder], { env: account.env });
  expect(account.requests).toEqual(['/v1/memories']);
  expect(traces(folder)).toEqual(before);
}

async function contentOf(folder: string) {
  const mirror = await openMirror({ folder, readOnly: true });
  const { memories: listed } = await mirror.listMemories({ limit: 1_000 });
  const all = await Promise.all(listed.map(({ memory }) => mirror.getMemory(memory.id)));
  await mirror.close();
  return new Map(all.flatMap((one) => (one ? [[one.memory.id, { memory: one.memory, media: one.media }]] : [])));
}
