import { isMemoryApiError, type ListedMemory, MemoryClient } from '@memory-read/client';
import { type HistoryEvent, type Mirror, type MirroredMemory, openMirror } from '@memory-read/mirror';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { MirrorModel, type ModelAnswer, type ModelHit, type ModelOutcome, type ModelSync } from './mirror-model.ts';
import { memoryIds, type Random, RandomAccount, starts, words } from './random-account.ts';

const STEPS = 12;

test('agrees with the model of its rules after every step of a random history', { timeout: 1_800_000 }, async () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= runCounts.randomHistories.full; seed += 1) {
    const folder = makeFolder((remove) => removals.push(remove));
    try {
      await playHistory(seed, folder, seen);
    } finally {
      for (const remove of removals.splice(0)) remove();
    }
  }
  const reached = [...seen].filter(([, number]) => number > 0).map(([name]) => name);
  expect(reached.sort()).toEqual([
    'added',
    'changed',
    ...['connection', 'invalid_response', 'not_found', 'server'].map((code) => `failed: ${code}`),
    'listed',
    'missing',
    'purged',
    'rechecked',
    ...['aborted', 'authentication', 'connection', 'server'].map((code) => `rejects: ${code}`),
    'requests',
    'returned',
    'unchanged',
    'unconfirmedEmptyList',
  ]);
});

const removals: (() => void)[] = [];

/** Counts the cases, so that the test fails if the generator never reaches a rule. */
function count(seen: Map<string, number>, outcome: ModelOutcome): void {
  const counts: [string, number][] =
    'error' in outcome
      ? [[`rejects: ${outcome.error}`, 1]]
      : [
          ...Object.entries(outcome.report).map(([name, number]): [string, number] => [name, Number(number)]),
          ...outcome.failed.map(([, code]): [string, number] => [`failed: ${code}`, 1]),
        ];
  for (const [name, number] of counts) seen.set(name, (seen.get(name) ?? 0) + number);
}

async function playHistory(seed: number, folder: string, seen: Map<string, number>): Promise<void> {
  const random = createRandom(seed);
  const isLikely = (probability: number) => random() < probability;
  const account = new RandomAccount(random);
  const model = new MirrorModel();
  let now = Date.parse('2026-11-23T12:00:00.000Z');
  const open = () => openMirror({ folder, clock: { now: () => new Date(now) } });
  let mirror = await open();
  let earlier: ListedMemory[] = [];
  for (let step = 1; step <= STEPS; step += 1) {
    const where = `seed ${seed}, step ${step}`;
    now += isLikely(0.15) ? -Math.floor(random() * 7_200_000) : Math.floor(random() * 3_600_000);
    if (isLikely(0.1)) {
      await mirror.close();
      mirror = await open();
    }
    for (let edits = Math.floor(random() * (step === 1 ? 20 : 5)); edits > 0; edits -= 1) account.edit();
    if (isLikely(0.05)) {
      const memoryId = one(random, memoryIds);
      expect((await mirror.purge(memoryId)).purged, where).toBe(model.purge(memoryId));
    }
    const current = account.list();
    const list = listOf(random, { current, earlier });
    earlier = current;
    const failure = failureOf(random);
    if (isLikely(0.15)) for (let edits = 0; edits < 3; edits += 1) account.edit();
    const sync: ModelSync = {
      list,
      answerOf: (memoryId) => failure(memoryId) ?? account.get(memoryId) ?? { code: 'not_found' },
      now,
      abortAt: isLikely(0.1) ? Math.floor(random() * 5) : undefined,
      since: isLikely(0.1) ? Date.parse(one(random, starts)) : Number.NEGATIVE_INFINITY,
      until: isLikely(0.1) ? Date.parse(one(random, starts)) : Number.POSITIVE_INFINITY,
      recheck: isLikely(0.3) ? Math.floor(random() * 6) : 0,
      purgesMissing: isLikely(0.05),
      allowEmpty: isLikely(0.05),
      dryRun: isLikely(0.1),
    };
    const expected = model.sync(sync);
    count(seen, expected);
    expect(await runSync(mirror, sync), where).toEqual(expected);
    await compare(mirror, model, where);
    await compareSearch(mirror, model, [one(random, words)], where);
  }
  await compareHistories(mirror, model, `seed ${seed}`);
  await compareSearch(mirror, model, words, `seed ${seed}`);
  await mirror.close();
}

/** Returns the list that the server sends; undefined if it fails. */
function listOf(random: Random, { current, earlier }: Record<'current' | 'earlier', ListedMemory[]>) {
  const chance = random();
  if (chance < 0.05) return undefined;
  if (chance < 0.15) return [];
  if (chance < 0.3) return earlier;
  if (chance < 0.45) return current.map((memory) => ({ ...memory, summary: null }));
  if (chance < 0.6) return current.filter(() => random() < 0.7);
  return current;
}

/** Returns the failure of each memory in a sync: mostly none. */
function failureOf(random: Random): (memoryId: string) => ModelAnswer | undefined {
  const chance = random();
  if (chance < 0.05) return () => ({ code: 'connection' });
  if (chance > 0.3) return () => undefined;
  const codes = ['server', 'connection', 'connection', 'not_found', 'invalid_response', 'authentication'] as const;
  const failures = new Map(memoryIds.filter(() => random() < 0.3).map((id) => [id, { code: one(random, codes) }]));
  return (memoryId) => failures.get(memoryId);
}

async function runSync(mirror: Mirror, sync: ModelSync): Promise<ModelOutcome> {
  const controller = new AbortController();
  const client = clientOf(sync, (request) => {
    if (request === sync.abortAt) controller.abort(new Error('aborted'));
  });
  try {
    const { failed, ...report } = await mirror.sync(client, {
      // With one memory at a time, the state after an abort is deterministic.
      concurrency: 1,
      signal: controller.signal,
      recheck: sync.recheck,
      missing: sync.purgesMissing ? 'purge' : 'keep',
      allowEmpty: sync.allowEmpty,
      dryRun: sync.dryRun,
      ...(Number.isFinite(sync.since) && { since: new Date(sync.since) }),
      ...(Number.isFinite(sync.until) && { until: new Date(sync.until) }),
    });
    return { report, failed: failed.map(({ memoryId, error }) => [memoryId, error.code]) };
  } catch (error) {
    if (isMemoryApiError(error)) return { error: error.code };
    if (error === controller.signal.reason) return { error: 'aborted' };
    throw error;
  }
}

/** The server. Each response has other signatures. */
function clientOf({ list, answerOf }: ModelSync, onRequest: (request: number) => void): MemoryClient {
  let requests = 0;
  const fetch = async ({ url }: Request) => {
    onRequest(requests);
    requests += 1;
    const [, memoryId] = new URL(url).pathname.split('/memories/');
    if (memoryId === undefined) return list === undefined ? refuse('server') : sign(list, requests);
    const answer = answerOf(memoryId);
    if (!('code' in answer)) return sign(answer, requests);
    return answer.code === 'invalid_response'
      ? sign(sampleMemory({ id: memoryId, user_id: 'user_2' }))
      : refuse(answer.code);
  };
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', retries: 0, fetch });
}

function sign(body: unknown, signature = 0): Response {
  const text = JSON.stringify(body).replaceAll(/https:[^"]+/g, (url) => `${url}?signature=${signature}`);
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}

function refuse(code: 'server' | 'connection' | 'not_found' | 'authentication'): Response {
  if (code === 'connection') throw new TypeError('fetch failed');
  const [status, detail] = {
    server: [500, 'Internal server error'] as const,
    not_found: [404, 'Memory not found'] as const,
    authentication: [401, 'Invalid API key'] as const,
  }[code];
  return Response.json({ detail }, { status });
}

/** Compares the current state of each memory. */
async function compare(mirror: Mirror, model: MirrorModel, where: string): Promise<void> {
  const { memories } = await mirror.listMemories({ limit: 1_000 });
  const expected = memoryIds.flatMap((id) => model.get(id) ?? []);
  const byId = (one: MirroredMemory, other: MirroredMemory) => (one.memory.id < other.memory.id ? -1 : 1);
  const listed = expected.map((each) => ({ ...each, memory: { ...each.memory, transcript: null } }));
  expect(memories.toSorted(byId), where).toEqual(listed);
  const times = memories.map(({ memory }) => memory.started_at);
  expect(times, where).toEqual(times.toSorted().reverse());
  for (const id of memoryIds) {
    expect(await mirror.getMemory(id), where).toEqual(model.get(id));
    expect(sortFields(await mirror.history(id)), where).toEqual(sortFields(model.history(id)));
  }
}

/** The order of the fields that differ is not a rule. */
function sortFields(events: readonly HistoryEvent[]): HistoryEvent[] {
  return events.map((event) => ({ ...event, fields: event.fields.toSorted() }));
}

/** Compares the state of each memory at the instant of every event, and just before it. */
async function compareHistories(mirror: Mirror, model: MirrorModel, where: string): Promise<void> {
  const instants = [...new Set(model.instants().flatMap((at) => [at - 1, at]))];
  for (const asOf of instants) {
    for (const id of memoryIds) {
      const then = `${where}, ${id} as of ${asOf}`;
      expect(await mirror.getMemory(id, { asOf: new Date(asOf) }), then).toEqual(model.get(id, asOf));
    }
  }
}

/** The fixed order of memories of one second is not a rule. */
async function compareSearch(mirror: Mirror, model: MirrorModel, searched: readonly string[], where: string) {
  for (const word of searched) {
    const { hits } = await mirror.search(word, { limit: 200 });
    const plain = hits.map(({ snippet: _, segments: _segments, offset: _offset, speaker: _speaker, ...hit }) => hit);
    expect(sortHits(plain), `${where}, ${word}`).toEqual(sortHits(model.search(word)));
    const times = plain.map(({ startedAt }) => startedAt);
    expect(times, `${where}, ${word}`).toEqual(times.toSorted().reverse());
  }
}

function sortHits(hits: readonly ModelHit[]): ModelHit[] {
  const key = ({ memoryId, kind }: ModelHit) => `${memoryId} ${kind}`;
  return hits.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

function one<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** Mulberry32: small, and the same on every machine. */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
