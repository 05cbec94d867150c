import {
  createClient,
  getMemory,
  listMemories,
  mediaUrl,
  openMedia,
  waitForMemories,
  waitForMemory,
  watchMemories,
} from '@memory-read/client/functions';

const client = createClient();

// #region list-memories
for (const { id, name } of await listMemories(client)) console.log(id, name);
// #endregion

// #region get-memory
const { summary } = await getMemory(client, 'mem_1');
console.log(summary?.quick_summary);
// #endregion

// #region wait-for-memory
const processed = await waitForMemory(client, 'mem_1', { maxWait: 600_000 });
console.log(processed.is_processing);
// #endregion

// #region wait-for-memories
for await (const { memoryId, status } of waitForMemories(client, ['mem_1', 'mem_2'])) console.log(memoryId, status);
// #endregion

// #region watch-memories
for await (const change of watchMemories(client, { interval: 60_000 })) {
  console.log(change.type);
  break;
}
// #endregion

// #region media-url
const audio = await mediaUrl(client, 'mem_1', 'audio');
console.log(audio !== null && audio.expiresAt > new Date());
// #endregion

// #region open-media
const { body, contentType } = await openMedia(client, 'mem_1', 'audio');
console.log(contentType);
await body.cancel();
// #endregion
