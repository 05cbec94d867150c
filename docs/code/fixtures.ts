import { createMemories, edgeCases, recordedMedia, sampleMedia } from '@memory-read/fixtures';
import { createInMemoryStore } from '@memory-read/server';

const store = createInMemoryStore();
await store.putAccount({ userId: 'user_1' });

// #region create-memories
const memories = createMemories({ count: 20, seed: 7, now: '2026-01-01T00:00:00Z' });
await store.putMemories('user_1', memories);
// #endregion

// #region edge-cases
await store.putMemories('user_1', Object.values(edgeCases));
console.log(edgeCases.zeroLength.duration_seconds);
// #endregion

// #region recorded-media
const { read, size, etag } = recordedMedia(edgeCases.overlappingSegments, 'audio');
const secondThree = read({ start: 44 + 3 * 8000, end: 44 + 4 * 8000 - 1 });
console.log(size, etag, secondThree.length);
// #endregion

// #region sample-media
const { bytes, contentType } = sampleMedia('audio');
const response = new Response(bytes, { headers: { 'content-type': contentType } });
// #endregion
console.log(memories.length, response.headers.get('content-type'));
