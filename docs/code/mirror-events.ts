import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { createWebhookSender, DeliveryError, openMirror } from '@memory-read/mirror';
import { createMemoryMock } from '@memory-read/msw';

const mock = createMemoryMock({ memories: [] });
mock.memories.add({ id: 'mem_1', name: 'Stand-up', summary: null });
const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
const folder = await mkdtemp(join(tmpdir(), 'memory-read-'));
const mirror = await openMirror({ folder });
await mirror.sync(client);

// #region deliver
const report = await mirror.deliver('console', ({ type, data }) => console.log(type, data.memory?.name), {
  types: ['memory.processed'],
});
if (report.nextTry !== null) console.log(`The next try is at ${report.nextTry.toISOString()}.`);
// #endregion

// #region webhook
const send = createWebhookSender({
  url: 'https://n8n.example.com/webhook/4f1c',
  secret: process.env.MEMORY_READ_WEBHOOK_SECRET ?? '',
});
const { delivered, pending } = await mirror.deliver('n8n', send, { types: ['memory.processed'] });
console.log(delivered, pending);
// #endregion

// #region delivery-error
const options = { types: ['memory.processed'] } as const;
await mirror.deliver(
  'notes',
  ({ data }) => {
    if (!data.memory?.summary) throw new DeliveryError('the memory has no summary', { action: 'park' });
    console.log(data.memory.summary.quick_summary);
  },
  options,
);
// #endregion

// #region sinks
for (const { sink, pending, error } of await mirror.listSinks()) console.log(sink, pending, error);
// #endregion

// #region replay
const parked = await mirror.listDeliveries('notes', { state: 'parked' });
for (const { memoryId, error } of parked) console.log(memoryId, error);
const ids = parked.map(({ eventId }) => eventId);
console.log(await mirror.replay('notes', ids));
// #endregion

await mirror.close();
await rm(folder, { recursive: true });
