import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type MemoryEvent, openMirror } from '@memory-read/mirror';
import { createInMemoryStore } from '@memory-read/server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount, type WholeStore } from '@memory-read/test-kit/memory-service';
import { createRandom, oneOf, type Random } from '@memory-read/test-kit/random';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { serveMemories } from '@memory-read/test-kit/serve-memories';
import { expect, onTestFinished, test } from 'vitest';
import { startCommand } from '../cli/run-command.ts';
import { openReceiver, type Receipt } from './open-receiver.ts';
import { startProgram } from './start-program.ts';

const SECRET = `whsec_${Buffer.from('twenty-four-bytes-or-more').toString('base64')}`;
const LOST_RESPONSES = 0.05;
/** Requests of a process before it is killed, at most. */
const MOST_REQUESTS = 40;
const memoryIds = Array.from({ length: 12 }, (_item, index) => `mem${index}`);

/** Starts a process that syncs and delivers. `once`: it ends when nothing is pending. */
type Start = (urls: { folder: string; baseUrl: string; webhook: string; key: string }, once: boolean) => ChildProcess;

const startLibrary: Start = ({ folder, baseUrl, webhook, key }, once) =>
  startProgram('deliver-process.ts', [folder, baseUrl, webhook, ...(once ? ['once'] : [])], { KEY: key, SECRET });

const startWatch: Start = ({ folder, baseUrl, webhook, key }, once) => {
  const pauses = once ? ['--once'] : ['--interval', '10ms..20ms'];
  return startCommand(['watch', '--mirror', folder, '--webhook', webhook, '--retry', '1ms..20ms', '-q', ...pauses], {
    env: { MEMORY_API_URL: baseUrl, MEMORY_API_KEY: key, MEMORY_READ_WEBHOOK_SECRET: SECRET },
  });
};

const { lanes, kills } = runCounts.killedDeliveries.full;

test.each([
  { name: 'the library', start: startLibrary },
  { name: 'memory-read watch', start: startWatch },
])(
  'loses, invents and reorders no event when $name is killed a hundred times and responses are lost',
  {
    timeout: 600_000,
  },
  async ({ start }) => {
    const seeds = Array.from({ length: lanes }, (_lane, index) => index + 1);
    const counts = await Promise.all(seeds.map((seed) => killDeliveries(start, seed)));
    for (const { events, lost, repeats } of counts) {
      // So many that kills and lost responses met each kind of event, and each part of a delivery.
      expect(events).toBeGreaterThan(kills * 5);
      expect(lost).toBeGreaterThan(kills / 10);
      expect(repeats).toBeGreaterThan(lost);
    }
  },
);

/** Kills processes while the account changes and responses are lost, and compares what was received with the events. */
async function killDeliveries(start: Start, seed: number) {
  const random = createRandom(seed);
  const folder = makeFolder();
  const store = createInMemoryStore();
  const account = new ChangingAccount(store, random);
  const { key } = await addAccount(store, 'user_1');
  await account.change();
  await using receiver = await openReceiver(SECRET);
  let isEnding = false;
  let requestsLeft = 0;
  let child: ChildProcess | undefined;
  const countRequest = () => {
    requestsLeft -= 1;
    if (isEnding || requestsLeft !== 0) return;
    // Half of the kills are before the response, the others while the process stores it.
    if (random() < 0.5) child?.kill('SIGKILL');
    else setTimeout(() => child?.kill('SIGKILL'), random() * 8);
  };
  receiver.losesNext = () => !isEnding && random() < LOST_RESPONSES;
  receiver.onEvent = countRequest;
  const server = await serveMemories(store, {
    async around(request, answer) {
      if (!isEnding && new URL(request.url).pathname === '/v1/memories') await account.change();
      countRequest();
      return answer();
    },
  });
  onTestFinished(() => server.close());
  const urls = { folder, baseUrl: server.baseUrl, webhook: receiver.url, key };

  for (; receiver.run < kills; receiver.run += 1) {
    requestsLeft = 1 + Math.floor(random() * MOST_REQUESTS);
    child = start(urls, false);
    child.stdout?.resume();
    const [, signal] = await once(child, 'exit');
    expect(signal, `process ${receiver.run} of seed ${seed}`).toBe('SIGKILL');
  }
  isEnding = true;
  let code: number | null = 1;
  // A process that ends before all is delivered ends with 1.
  for (let left = 20; code !== 0 && left > 0; left -= 1) [code] = await once(start(urls, true), 'exit');
  expect(code).toBe(0);

  const events = await eventsOf(folder, account);
  return { events: events.length, ...compareReceipts(receiver.receipts, events, `seed ${seed}`) };
}

/** Compares what was received with the events of the mirror. */
function compareReceipts(receipts: readonly Receipt[], events: readonly MemoryEvent[], where: string) {
  const bodies = new Map(receipts.map(({ id, body }) => [id, body]));
  expect(new Set(bodies.keys()), `${where}: nothing is lost or invented`).toEqual(new Set(events.map(({ id }) => id)));
  for (const event of events) expect(JSON.parse(bodies.get(event.id) ?? ''), where).toEqual(event);
  for (const { id, body } of receipts) expect(body, `${where}: repeats have the same bytes`).toBe(bodies.get(id));

  const lastOfRuns = new Set(new Map(receipts.map((receipt) => [receipt.run, receipt])).values());
  const earlier = new Map<string, Receipt>();
  const repeats = receipts.filter((receipt) => {
    const before = earlier.get(receipt.id);
    earlier.set(receipt.id, receipt);
    // An event is only repeated if its response was lost, or if it was in flight when its process was killed.
    if (before) expect(before.isLost || lastOfRuns.has(before), `${where}: the repeat of ${receipt.id}`).toBe(true);
    return before !== undefined;
  });
  const lost = receipts.filter(({ isLost }) => isLost).length;
  expect(repeats.length, where).toBeLessThanOrEqual(kills + lost);

  for (const memoryId of memoryIds) {
    const received = receipts.filter(({ body }) => JSON.parse(body).data.memory_id === memoryId).map(({ id }) => id);
    const inOrder = events.filter(({ data }) => data.memory_id === memoryId).map(({ id }) => id);
    expect(
      received.filter((id, index) => id !== received[index - 1]),
      `${where}: order of ${memoryId}`,
    ).toEqual(inOrder);
  }
  return { lost, repeats: repeats.length };
}

/** Returns the events of a mirror, after they were compared with its history and with the account. */
async function eventsOf(folder: string, account: ChangingAccount): Promise<MemoryEvent[]> {
  const mirror = await openMirror({ folder, readOnly: true });
  const events: MemoryEvent[] = [];
  for (let after: string | undefined; ; ) {
    const page = await mirror.events({ ...(after !== undefined && { after }), limit: 1_000 });
    events.push(...page.events);
    if (page.events.length === 0) break;
    after = page.cursor ?? undefined;
  }
  for (const memoryId of memoryIds) {
    const ofMemory = events.filter(({ data }) => data.memory_id === memoryId);
    const ofRows = ofMemory.filter(({ type, data }) => type !== 'memory.processed' || data.fields.length > 0);
    const history = await mirror.history(memoryId);
    expect(ofRows.map(({ timestamp }) => timestamp)).toEqual(history.map(({ at }) => new Date(at).toISOString()));
    const last = ofMemory.at(-1);
    const record = account.records.get(memoryId);
    if (record === undefined) expect([undefined, 'memory.missing']).toContain(last?.type);
    else expect(last?.data.memory?.name).toBe(record.name);
    const processed = ofMemory.filter(({ type }) => type === 'memory.processed');
    expect(processed.length).toBeLessThanOrEqual(1);
    if (record?.is_processing === false) expect(processed).toHaveLength(1);
  }
  await mirror.close();
  return events;
}

/** An account whose memories are added, renamed, processed, deleted and added again at random. */
class ChangingAccount {
  readonly records = new Map<string, ReturnType<typeof sampleRecord>>();
  readonly #store: WholeStore;
  readonly #random: Random;
  #changes = 0;

  constructor(store: WholeStore, random: Random) {
    this.#store = store;
    this.#random = random;
  }

  /** Changes some memories. */
  async change(): Promise<void> {
    for (let left = 1 + Math.floor(this.#random() * 4); left > 0; left -= 1) await this.#changeOne();
  }

  async #changeOne(): Promise<void> {
    const id = oneOf(this.#random, memoryIds);
    const known = this.records.get(id);
    this.#changes += 1;
    // An empty list would need a second one that confirms it.
    if (known !== undefined && this.records.size > 3 && this.#random() < 0.15) {
      this.records.delete(id);
      await this.#store.deleteMemory('user_1', id);
      return;
    }
    const is_processing = known?.is_processing !== false && this.#random() < 0.5;
    const record = sampleRecord({ ...known, id, name: `Talk ${this.#changes}`, is_processing });
    this.records.set(id, record);
    await this.#store.putMemories('user_1', [record]);
  }
}
