import { loadAll } from '../loopback/load-server.ts';
import { withServers } from '../loopback/start-server.ts';
import { ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { memoryAnswerFile, smallStoreFile } from '../memories/files.ts';
import { smallRecord } from '../memories/small-records.ts';

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
      bare: ['bare', store],
      jsonServer: ['json-server', await memoryAnswerFile(folder, smallRecord(0))],
    } as const;
    return withServers(programs, async (servers) => {
      const load = { connections: 32, seconds: sizes.loadSeconds };
      const cpu = await loadAll(servers, load, sizes.longRounds);
      return {
        findings: [
          ratio('Requests, against bare `node:http`', cpu.ours, cpu.bare, { atLeast: 0.85 }),
          ratio('Requests, against json-server', cpu.ours, cpu.jsonServer, { atLeast: 0.9 }),
          ratio('Bare `node:http`, against json-server', cpu.bare, cpu.jsonServer),
        ],
        explanation:
          'json-server computes no hash, no lookup in a database and no signature. Even the bare server, which does only this work, is slower, as the last row shows.',
      };
    });
  },
};
