import { rmSync } from 'node:fs';
import { isMemoryApiError, type ListedMemory, MemoryClient } from '@memory-read/client';
import { type HistoryEvent, type Mirror, type MirroredMemory, openMirror, type SearchHit } from '@memory-read/mirror';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { createRandom, oneOf, type Random } from '@memory-read/test-kit/random';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { MirrorModel, type ModelFailure, type ModelHit, type ModelOutcome, type ModelSync } from './mirror-model.ts';
import { memoryIds, RandomAccount, starts, words } from './random-account.ts';

const STEPS = 12;

test('agrees with the model of its rules after every step of a random history', { timeout: 1_800_000 }, async () => {
  // What happened at least once, so that the test fails if the generator never reaches a rule.
  const reached = new Set<string>();
  for (let seed = 1; seed <= runCounts.randomHistories.full; seed += 1) {
    const folder = makeFolder();
    await playHistory(seed, folder, (outcome) => {
      for (const name of namesOf(outcome)) reached.add(name);
    });
    rmSync(folder, { recursive: true });
  }
  expect([...reached].sort()).toEqual([
    'added',
    'changed',
    ...['connection', 'invalid_response', 'not_found', 'server'].map((code) => `failed: ${code}`),
    'listed',
    'missing',
    'processing',
    'purged',
    'rechecked',
    ...['aborted', 'authentication', 'connection', 'server'].map((code) => `rejects: ${code}`),
    'requests',
    'returned',
    'unchanged',
    'unconfirmedEmptyList',
  ]);
});

function namesOf(outcome: ModelOutcome): string[] {
  if ('error' in outcome) return [`rejects: ${outcome.error}`];
  const counts = Object.entries(outcome.report).flatMap(([name, number]) => (Number(number) > 0 ? [name] : []));
  return [...counts, ...outcome.failed.map(([, code]) => `failed: ${code}`)];
}

async function playHistory(seed: number, folder: string, onSync: (outcome: ModelOutcome) => void): Promise<void> {
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
      const memoryId = oneOf(random, memoryIds);
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
      since: isLikely(0.1) ? Date.parse(oneOf(random, starts)) : Number.NEGATIVE_INFINITY,
      until: isLikely(0.1) ? Date.parse(oneOf(random, starts)) : Number.POSITIVE_INFINITY,
      recheck: isLikely(0.3) ? Math.floor(random() * 6) : 0,
      purgesMissing: isLikely(0.05),
      allowEmpty: isLikely(0.05),
      dryRun: isLikely(0.1),
    };
    const expected = model.sync(sync);
    onSync(expected);
    expect(await runSync(mirror, sync), where).toEqual(expected);
    await compare(mirror, model, where);
    await compareSearch(mirror, model, [oneOf(random, words)], where);
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
function failureOf(random: Random): (memoryId: string) => ModelFailure | undefined {
  const chance = random();
  if (chance < 0.05) return () => ({ code: 'connection' });
  if (chance > 0.3) return () => undefined;
  const codes = ['server', 'connection', 'connection', 'not_found', 'invalid_response', 'authentication'] as const;
  const failures = new Map(memoryIds.filter(() => random() < 0.3).map((id) => [id, { code: oneOf(random, codes) }]));
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
      ? sign(sampleMemory({ id: memoryId, user_id: 'user_2' }), requests)
      : refuse(answer.code);
  };
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', retries: 0, fetch });
}

function sign(body: unknown, signature: number): Response {
  const text = JSON.stringify(body).replaceAll(/https:[^"]+/g, (url) => `${url}?signature=${signature}`);
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}

const refusals = {
  server: [500, 'Internal server error'],
  not_found: [404, 'Memory not found'],
  authentication: [401, 'Invalid API key'],
} as const;

function refuse(code: keyof typeof refusals | 'connection'): Response {
  if (code === 'connection') throw new TypeError('fetch failed');
  const [status, detail] = refusals[code];
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
  const read = memoryIds.map(async (id) => [await mirror.getMemory(id), sortFields(await mirror.history(id))]);
  expect(await Promise.all(read), where).toEqual(memoryIds.map((id) => [model.get(id), sortFields(model.history(id))]));
}

/** The order of the fields that differ is not a rule. */
function sortFields(events: readonly HistoryEvent[]): HistoryEvent[] {
  return events.map((event) => ({ ...event, fields: event.fields.toSorted() }));
}

/** Compares the state of each memory at the instant of every event, and just before it. */
async function compareHistories(mirror: Mirror, model: MirrorModel, where: string): Promise<void> {
  const instants = [...new Set(model.instants().flatMap((at) => [at - 1, at]))];
  for (const asOf of instants) {
    const read = memoryIds.map((id) => mirror.getMemory(id, { asOf: new Date(asOf) }));
    const then = `${where}, as of ${asOf}`;
    expect(await Promise.all(read), then).toEqual(memoryIds.map((id) => model.get(id, asOf)));
  }
}

/** The fixed order of memories of one second is not a rule. */
async function compareSearch(mirror: Mirror, model: MirrorModel, searched: readonly string[], where: string) {
  for (const word of searched) {
    const { hits } = await mirror.search(word, { limit: 200 });
    expect(hits.every(({ match, lacks }) => match === 'together' && lacks.length === 0)).toBe(true);
    const plain = hits.map(toModelHit);
    expect(sortHits(plain), `${where}, ${word}`).toEqual(sortHits(model.search(word)));
    const times = plain.map(({ startedAt }) => startedAt);
    expect(times, `${where}, ${word}`).toEqual(times.toSorted().reverse());
  }
}

function toModelHit({ memoryId, name, startedAt, version, isOutdated, missingSince, kind }: SearchHit): ModelHit {
  return { memoryId, name, startedAt, version, isOutdated, missingSince, kind };
}

function sortHits(hits: readonly ModelHit[]): ModelHit[] {
  const key = ({ memoryId, kind }: ModelHit) => `${memoryId} ${kind}`;
  return hits.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}
