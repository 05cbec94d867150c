import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { MemoryRecord } from '@memory-read/contract';
import { edgeCases, sampleMedia } from '@memory-read/fixtures';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { onTestFinished } from 'vitest';
import { type ServeProcess, spawnCommand, startServe } from '../serving/start-serve.ts';

export type TwoAccounts = Awaited<ReturnType<typeof startTwoAccounts>>;

/** Memories of Ada, the victim. Eve, the attacker, has one of her own and a key. */
const memoriesOfAda = [
  sampleRecord({
    id: 'mem_of_ada',
    name: 'Private talk',
    media: { audio: { object_key: 'ada/talk.wav', content_type: 'audio/wav' } },
  }),
  sampleRecord({ id: edgeCases.idWithSlash.id, name: 'An odd id' }),
];
const memoriesOfEve = [
  sampleRecord({ id: 'mem_of_eve', media: { audio: { object_key: 'eve/own.wav', content_type: 'audio/wav' } } }),
];

/** Starts the built command over a SQLite file with two accounts and a media folder. It ends with the test. */
export async function startTwoAccounts() {
  const folder = makeFolder();
  const media = join(folder, 'media');
  for (const owner of ['ada', 'eve']) mkdirSync(join(media, owner), { recursive: true });
  const { bytes } = sampleMedia('audio');
  writeFileSync(join(media, 'ada/talk.wav'), bytes);
  writeFileSync(join(media, 'eve/own.wav'), bytes.subarray(0, 1_000));

  const db = join(folder, 'memories.sqlite');
  const run = (args: readonly string[], input = '') => runCommand([...args, '--db', db], input);
  const store = (userId: string, records: readonly unknown[]) =>
    run(['import', '-', '--account', userId], records.map((record) => JSON.stringify(record)).join('\n'));
  await store('user_ada', memoriesOfAda);
  await store('user_eve', memoriesOfEve);
  const createKey = async (userId: string): Promise<string> =>
    JSON.parse((await run(['keys', 'create', '--account', userId, '--json'])).stdout).apiKey;
  const keys = { ada: await createKey('user_ada'), eve: await createKey('user_eve') };

  const server = await startServe(['--db', db, '--media-dir', media, '--log', 'json'], { stderr: 'ignore' });
  let log = '';
  server.child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  onTestFinished(server.close);
  return {
    ...{ db, media, keys, run, store, server, baseUrl: server.baseUrl, port: portOf(server) },
    /** Ends the server, and returns all that it has logged. */
    async readLog(): Promise<string> {
      await server.close();
      return log;
    },
    get: (key: string, path: string) => fetch(server.baseUrl + path, { headers: { 'x-api-key': key } }),
  };
}

/** Returns a memory that would replace one of Ada. */
export function forgedRecord(fields: Partial<MemoryRecord> = {}): MemoryRecord {
  return sampleRecord({ id: 'mem_of_ada', name: 'Forged', ...fields });
}

function portOf({ baseUrl }: ServeProcess): number {
  return Number(new URL(baseUrl).port);
}

async function runCommand(args: readonly string[], input: string) {
  const child = spawnCommand(args, {});
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, code };
}
