import { createMemories, edgeCases } from '@memory-read/fixtures';
import { showcaseMemories } from '@memory-read/fixtures/showcase';
import { startMemoryMock } from '@memory-read/msw/browser';

const DAY = 86_400_000;

const recordings = import.meta.glob<string>('/node_modules/@memory-read/fixtures/media/*/*', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** A backend in the page, for development: three memories to hear, generated ones, and one that is still processed. */
export async function startMock(): Promise<void> {
  const now = new Date();
  const isForTests = new URLSearchParams(location.search).has('edge-cases');
  const yesterday = new Date(now.getTime() - DAY);
  const { language } = navigator;
  const generated = createMemories({ count: 24, seed: 1, now: yesterday, language }).filter(
    (memory) => !memory.is_processing,
  );
  const memories = isForTests ? [...generated, ...Object.values(edgeCases)] : generated;
  const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none', memories });
  for (const memory of showcaseMemories({ now })) {
    const media = Object.entries(memory.media).map(async ([kind, file]) => {
      const url = recordings[`/node_modules/@memory-read/fixtures/media/${file?.object_key}`] ?? '';
      const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
      return [kind, { content_type: file?.content_type, bytes }];
    });
    mock.memories.add({ ...memory, media: Object.fromEntries(await Promise.all(media)) });
  }
  const walk = { name: 'A walk by the river', started_at: new Date(now.getTime() - DAY / 4).toISOString() };
  mock.memories.addProcessing({ ...walk, duration_seconds: 240 }, { finishAfter: 20_000 });
  // For the console of the browser: mock.faults.always({ status: 401 }), for example.
  Object.assign(globalThis, { mock });
}
