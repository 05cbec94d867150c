import { hashApiKey } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { type Load, loadServer, type Throughput } from '../loopback/load-server.ts';
import { type BenchServer, withServers } from '../loopback/start-server.ts';
import type { Curve, Finding, Means, Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, type Spread, spreadOf } from '../measurement/statistics.ts';
import { timePerCall } from '../measurement/time.ts';
import { apiKey, userId } from '../memories/account.ts';
import { memoryAnswerFile } from '../memories/answer-files.ts';
import { signThree } from '../memories/sign-three.ts';
import { memoryIdAt, smallRecords } from '../memories/small-records.ts';
import { smallStoreFile } from '../memories/store-file.ts';

const path = `/v1/memories/${memoryIdAt(0)}`;
const connections = 32;
const storedMemories = 1_000;

export const serverGetMemory: Row = {
  id: 'server-get-memory',
  title: 'Server: one memory, 32 connections',
  method:
    "autocannon loads one server after the other, each in a separate process. The bare `node:http` and the plain Hono do only the same hash, the same two lookups and the same three signatures, with the same functions. These three have the small heap of `memory-read serve`. Prism returns the example of the document. json-server returns a memory from RAM, without a key. The ratio compares requests per second of the server's processor time: the load generator shares the machine and can be the bottleneck. The page also shows the ratio by the clock.",
  async measure(means) {
    const store = await smallStoreFile(means.folder, storedMemories);
    const [record] = smallRecords(1);
    if (record === undefined) throw new Error('There is no record to serve.');
    const answer = await memoryAnswerFile(means.folder, record);
    const programs = {
      ours: ['memory-read', store],
      bare: ['bare-lookup', store],
      hono: ['plain-hono', store],
      prism: ['prism'],
      jsonServer: ['json-server', answer],
    } as const;
    return withServers(programs, async (servers) => {
      const loads = await loadAll(servers, { path, connections, seconds: means.sizes.loadSeconds }, means);
      return {
        findings: findingsOf(loads),
        curves: [await concurrencyCurve(servers, means)],
        notes: [await shares(store, loads.ours)],
        explanation:
          'json-server computes no hash, no lookup in a database and no signature: it returns a memory from RAM. Even the bare server, which does only this work, is slower than json-server, as the last row shows. Without HTTP, the API takes 24 µs for this work and the bare functions take 21 µs, so most of the difference lies in the adapter. Three trials, each beside a result of about 0.75 ×: without `@hono/node-server`, it was 0.80 ×; without the queue that limits pipelined requests, 0.77 ×; with both and the headers as one list, 0.83 ×. An `AbortController` that is only created when the store waits gave nothing. The adapter stays, because every other handler needs its `Request`, and the queue stays, because it ends the attacks of [callers that stall](guides/operations.md#callers-that-stall).',
      };
    });
  },
};

/** Results of each server in every round. */
export type Loads<Name extends string> = Record<Name, Throughput[]>;

export async function loadAll<Name extends string>(
  servers: Record<Name, BenchServer>,
  load: Load,
  { sizes }: Pick<Means, 'sizes'>,
): Promise<Loads<Name>> {
  const loads = {} as Loads<Name>;
  const contenders = Object.entries<BenchServer>(servers).map(([name, server]) => {
    const kept: Throughput[] = [];
    loads[name as Name] = kept;
    return [name, async () => kept.push(await loadServer(server, load))] as const;
  });
  await runRounds(sizes.longRounds, Object.fromEntries(contenders));
  // The first round is a warm-up and does not count.
  for (const name of Object.keys(loads) as Name[]) loads[name] = loads[name].slice(1);
  return loads;
}

export function cpuRatio(ours: readonly Throughput[], theirs: readonly Throughput[]): Spread {
  return pairedRatio(
    ours.map(({ perCpuSecond }) => perCpuSecond),
    theirs.map(({ perCpuSecond }) => perCpuSecond),
  );
}

export function clockRatio(ours: readonly Throughput[], theirs: readonly Throughput[]): Spread {
  return pairedRatio(
    ours.map(({ perSecond }) => perSecond),
    theirs.map(({ perSecond }) => perSecond),
  );
}

function findingsOf(loads: Loads<'ours' | 'bare' | 'hono' | 'prism' | 'jsonServer'>): Finding[] {
  const against = (name: string, theirs: Throughput[]): Finding => ({
    what: `Requests, against ${name}`,
    value: cpuRatio(loads.ours, theirs),
    unit: '×',
  });
  return [
    { ...against('bare `node:http`', loads.bare), goal: { atLeast: 0.85 } },
    { what: 'The same by the clock', value: clockRatio(loads.ours, loads.bare), unit: '×' },
    against('plain Hono', loads.hono),
    { ...against('the Prism mock', loads.prism), goal: { atLeast: 1 } },
    { ...against('json-server', loads.jsonServer), goal: { atLeast: 0.9 } },
    { what: 'Bare `node:http`, against json-server', value: cpuRatio(loads.bare, loads.jsonServer), unit: '×' },
  ];
}

async function concurrencyCurve(
  { ours, bare }: Record<'ours' | 'bare', BenchServer>,
  { sizes }: Means,
): Promise<Curve> {
  const curve = async (server: BenchServer) => {
    const points: [number, number][] = [];
    for (const clients of [1, 4, 16, 64, 256]) {
      const { perSecond } = await loadServer(server, { path, connections: clients, seconds: sizes.loadSeconds });
      points.push([clients, perSecond]);
    }
    return points;
  };
  return {
    id: 'concurrent-clients',
    title: 'Requests per second by concurrent clients',
    xLabel: 'clients',
    yLabel: 'requests per second',
    series: [
      { name: 'reference server', points: await curve(ours) },
      { name: 'bare node:http', points: await curve(bare) },
    ],
  };
}

/** Share of each part of the work in the processor time of a request. */
async function shares(path: string, loads: readonly Throughput[]): Promise<string> {
  const store = openSqliteStore({ path });
  const keyHash = hashApiKey(apiKey);
  const parts = {
    'hash of the key': () => hashApiKey(apiKey),
    'lookup of the key': () => store.findApiKey(keyHash),
    'lookup of the memory': () => store.getMemory({ userId, memoryId: memoryIdAt(0) }),
    'three signatures': signThree.hmac,
  };
  const whole = 1_000_000 / spreadOf(loads.map(({ perCpuSecond }) => perCpuSecond)).median;
  const texts: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    const { costs } = await runRounds(9, { costs: () => timePerCall(500, part) });
    const cost = spreadOf(costs).median;
    texts.push(`${name} ${cost.toFixed(1)} µs (${Math.round((cost / whole) * 100)} %)`);
  }
  await store.close();
  return `A request takes ${whole.toFixed(0)} µs of processor time: ${texts.join(', ')}. The rest is HTTP, routing, checks and JSON.`;
}
