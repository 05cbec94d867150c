import { createHmacMediaSigner, hashApiKey } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { loadAll } from '../loopback/load-server.ts';
import { withServers } from '../loopback/start-server.ts';
import { ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { spreadOf } from '../measurement/statistics.ts';
import { timeCalls } from '../measurement/time.ts';
import { apiKey, mediaSecrets, userId } from '../memories/account.ts';
import { memoryAnswerFile, smallStoreFile } from '../memories/files.ts';
import { memoryIdAt, smallRecord } from '../memories/small-records.ts';

const storedMemories = 1_000;

export const serverGetMemory: Row = {
  id: 'server-get-memory',
  title: 'Server: one memory, 32 connections',
  method:
    "autocannon loads one server after the other. The bare `node:http` does only the same hash, lookups and signatures. json-server returns a memory from RAM, without a key. A ratio compares requests per second of the server's processor time, because the load generator shares the machine.",
  async measure({ folder, sizes }) {
    const store = await smallStoreFile(folder, storedMemories);
    const programs = {
      ours: ['reference-server', store],
      fetch: ['reference-server', store, 'fetch'],
      bare: ['bare', store],
      jsonServer: ['json-server', await memoryAnswerFile(folder, smallRecord(0))],
    } as const;
    return withServers(programs, async (servers) => {
      const load = { connections: 32, seconds: sizes.loadSeconds };
      const { perCpuSecond: cpu, perSecond: clock } = await loadAll(servers, load, sizes.longRounds);
      return {
        findings: [
          ratio('Requests, against bare `node:http`', cpu.ours, cpu.bare, { atLeast: 0.85 }),
          ratio('The same by the clock', clock.ours, clock.bare),
          ratio('With `api.fetch` instead of `api.respond`', cpu.fetch, cpu.ours),
          ratio('Requests, against json-server', cpu.ours, cpu.jsonServer, { atLeast: 0.9 }),
          ratio('Bare `node:http`, against json-server', cpu.bare, cpu.jsonServer),
        ],
        notes: [await shares(store, cpu.ours)],
        explanation:
          'json-server computes no hash, no lookup in a database and no signature. Even the bare server, which does only this work, is slower, as the last row shows.',
      };
    });
  },
};

/** Share of each part of the work in the processor time of a request. */
async function shares(path: string, perCpuSecond: readonly number[]): Promise<string> {
  const store = openSqliteStore({ path });
  const keyHash = hashApiKey(apiKey);
  const signer = createHmacMediaSigner({ baseUrl: 'http://127.0.0.1/media', secrets: mediaSecrets });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const objects = ['audio.wav', 'video.webm', 'image.png'].map((name) => ({
    objectKey: `${memoryIdAt(0)}/${name}`,
    contentType: name.replace('.', '/'),
  }));
  const parts = {
    'hash of the key': () => hashApiKey(apiKey),
    'lookup of the key': () => store.findApiKey(keyHash),
    'lookup of the memory': () => store.getMemory({ userId, memoryId: memoryIdAt(0) }),
    'three signatures': () => objects.map((object) => signer.sign({ ...object, expiresAt })),
  };
  const costs = await timeCalls(parts, { rounds: 9, count: 500 });
  await store.close();
  const whole = 1_000_000 / spreadOf(perCpuSecond).median;
  const texts = Object.entries(costs).map(([name, rounds]) => {
    const { median } = spreadOf(rounds);
    return `${name} ${median.toFixed(1)} µs (${Math.round((median / whole) * 100)} %)`;
  });
  return `A request takes ${whole.toFixed(0)} µs of processor time: ${texts.join(', ')}. The rest is HTTP, routing, checks and JSON.`;
}
