import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { isMirrorError, openMirror } from '@memory-read/mirror';
import { createMemoryMock } from '@memory-read/msw';

const mock = createMemoryMock({ memories: [], now: '2026-11-16T09:00:00Z' });
const { id } = mock.memories.add({ name: 'Stand-up' });
const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
const folder = await mkdtemp(join(tmpdir(), 'memory-read-'));
const clock = { now: () => mock.clock.now() };
const mirror = await openMirror({ folder, clock });
await mirror.sync(client);
mock.clock.advance(7 * 24 * 3_600_000);
mock.memories.update(id, { name: 'Stand-up of the team' });
await mirror.sync(client);

// #region history
for (const { version, type, at, fields } of await mirror.history(id)) console.log(version, type, at, fields);
// #endregion

// #region as-of
const [first] = await mirror.history(id);
const earlier = await mirror.getMemory(id, { asOf: first?.at });
const now = await mirror.getMemory(id);
console.log(`${earlier?.memory.name} is now ${now?.memory.name}`);
// #endregion

// #region events
const { events, cursor } = await mirror.events({ types: ['memory.processed'] });
for (const { type, data } of events) console.log(type, data.memory_id, data.memory?.name);
const later = await mirror.events({ after: cursor ?? undefined });
console.log(later.events.length);
// #endregion

// #region purge
const { purged, leftFiles } = await mirror.purge(id);
console.log(purged, leftFiles);
// #endregion

await mirror.close();
// #region errors
try {
  await mirror.sync(client);
} catch (error) {
  if (!isMirrorError(error)) throw error;
  if (error.code === 'busy') console.log('Another sync is running. The next run of this job reads everything.');
  else console.error(error.message);
}
// #endregion
await rm(folder, { recursive: true });
