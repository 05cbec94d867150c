import { MemoryClient } from '@memory-read/client';
import { createMemories } from '@memory-read/fixtures';

const memories = createMemories({ count: 1_000, seed: 7, now: '2026-01-01T00:00:00Z' }).map(({ media, ...memory }) => ({
  ...memory,
  user_id: 'user_1',
  audio_url: null,
  video_url: null,
  preview_image_url: null,
  transcript: null,
}));
const client = new MemoryClient({
  baseUrl: 'https://api.example.com',
  apiKey: 'mrk_example',
  fetch: () => Response.json(memories),
});

const changes = new Set<string>();
const watch = client.watchMemories();
for await (const change of watch) {
  if (change.type === 'added') changes.add(change.memory.id);
  if (changes.size === memories.length) break;
}
console.log(`${JSON.stringify(watch.state).length} bytes`);
