import { readFileSync } from 'node:fs';
import { showcaseMemories } from '@memory-read/fixtures/showcase';
import { createMemoryMock } from '@memory-read/msw';

const mock = createMemoryMock({ memories: [] });

// #region showcase
const bytesOf = (objectKey: string) =>
  new Uint8Array(readFileSync(new URL(import.meta.resolve(`@memory-read/fixtures/showcase/media/${objectKey}`))));

for (const memory of showcaseMemories({ now: new Date() })) {
  const media = Object.entries(memory.media).map(([kind, file]) => {
    return [kind, file && { content_type: file.content_type, bytes: bytesOf(file.object_key) }];
  });
  mock.memories.add({ ...memory, media: Object.fromEntries(media) });
}
// #endregion
const response = await mock.fetch(`${mock.baseUrl}/v1/memories`, { headers: { 'x-api-key': mock.apiKey } });
for (const { name } of (await response.json()) as { name: string }[]) console.log(name);
