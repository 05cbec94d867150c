import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { keptFiles, traces, visibleFiles } from './archive-traces.ts';
import { runCommand, startCommand } from './run-command.ts';
import { type MediaAccount, mediaOf, recordWithAudio, startMediaAccount } from './start-media-account.ts';

const size = 300_000;
const memories = 12;

/** Mirrors a changing account, kills each run at a random point, and expects that the last run saves everything. */
export async function killMirrors(kills: number): Promise<void> {
  const folder = join(makeFolder(), 'mirror');
  const account = await startMediaAccount(size);
  account.pace = 1;
  const places: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await account.put(...recordsOf(kill));
    places.push(await killOne(folder, account));
    expectWholeFiles(folder, places);
  }
  const last = await runCommand(['mirror', folder], { env: account.env });
  expect(last, `killed after ${places}`).toMatchObject({ code: 0, stderr: '' });
  await expectAll(folder, account, places);
}

/** In each round, some memories get another name, and one is added. */
function recordsOf(round: number) {
  const numbers = Array.from({ length: memories + round }, (_item, index) => index);
  return numbers
    .filter((number) => round === 0 || number % 4 === round % 4 || number === memories + round - 1)
    .map((number) => recordWithAudio(number, { name: `Memory ${number} of round ${round}` }));
}

/** Kills a run a few requests and milliseconds after its start. */
async function killOne(folder: string, account: MediaAccount): Promise<string> {
  const requests = 1 + Math.floor(Math.random() * 12);
  const milliseconds = Math.floor(Math.random() * 40);
  const child = startCommand(['mirror', folder], { env: account.env });
  const ended = once(child, 'exit');
  let seen = 0;
  account.onRequest = () => {
    seen += 1;
    if (seen === requests) setTimeout(() => child.kill('SIGKILL'), milliseconds);
    return undefined;
  };
  await ended;
  account.onRequest = () => undefined;
  return `${requests} requests and ${milliseconds} ms`;
}

/** All visible files are complete at every moment. */
function expectWholeFiles(folder: string, places: readonly string[]): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.json')) expect(() => JSON.parse(readFileSync(path, 'utf8')), `${places}`).not.toThrow();
    if (!name.endsWith('.wav')) continue;
    const [, number] = /^Memory (\d+) /.exec(name) ?? [];
    expect(readFileSync(path).equals(mediaOf(`mem_${number}.wav`, size)), `${name}, killed after ${places}`).toBe(true);
  }
}

async function expectAll(folder: string, account: MediaAccount, places: readonly string[]): Promise<void> {
  const fresh = `${folder}-fresh`;
  await runCommand(['mirror', fresh], { env: account.env });
  const contents = (path: string) => keptFiles(path).map(({ memoryId, part, sha256 }) => [memoryId, part, sha256]);
  expect(contents(folder).sort(), `killed after ${places}`).toEqual(contents(fresh).sort());
  const named = keptFiles(folder).map(({ path }) => path);
  expect(visibleFiles(folder)).toEqual([...named, 'memory-read.json'].sort());
  expect(readdirSync(join(folder, '.memory-read'))).toEqual(['lock']);
  const before = traces(folder);
  account.requests.length = 0;
  await runCommand(['mirror', folder], { env: account.env });
  expect(account.requests).toEqual(['/v1/memories']);
  expect(traces(folder)).toEqual(before);
}
