import { MemoryClient } from '@memory-read/client';
import { edgeCases, sampleMedia } from '@memory-read/fixtures';
import { createMemoryMock } from '@memory-read/msw';

// #region create-memory-mock
const mock = createMemoryMock();
const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
const { id } = mock.memories.addProcessing({ name: 'Stand-up' }, { finishAfter: 60_000 });
mock.clock.advance(60_000);
console.log((await client.getMemory(id)).is_processing); // false
// #endregion

// #region clock
const { audio_url } = await client.getMemory(id);
mock.clock.advance(61 * 60_000);
const expired = await mock.fetch(audio_url ?? '');
const renewed = await mock.fetch((await client.getMemory(id)).audio_url ?? '');
console.log(expired.status, renewed.status); // 403 200
// #endregion

// #region expire
const { audio_url: revoked } = await client.getMemory(id);
mock.expireMediaUrls();
console.log((await mock.fetch(revoked ?? '')).status); // 403
console.log((await client.openMedia(id, 'audio')).contentType); // audio/wav
// #endregion

// #region memories
const { id: talk } = mock.memories.add({ name: 'Talk', duration_seconds: 3600, media: {} });
mock.memories.update(talk, { summary: null });
const { id: recording } = mock.memories.addProcessing();
mock.memories.finishProcessing(recording, { transcript: null }); // no speech
mock.memories.remove(recording);
console.log(mock.memories.all()[0]?.name); // Talk
// #endregion

// #region outage
const outage = mock.faults.next({ status: 503 }, { times: Number.POSITIVE_INFINITY });
const error = await client.listMemories().catch((reason) => reason);
console.log(error.code, outage.played); // server 3
outage.cancel();
// #endregion

// #region faults
mock.faults.next({ status: 503, retryAfter: 2_000 }, { times: 2 });
mock.faults.next('truncated-json', { match: { operation: 'getMemory', memoryId: talk } });
mock.faults.always({ delay: 300 }, { match: { request: ({ headers }) => headers.get('x-slow') === 'yes' } });
// #endregion

mock.faults.clear();

// #region requests
const request = mock.nextRequest('getMemory');
await client.getMemory(talk);
const { memoryId, auth, status, fault } = await request;
console.log(memoryId === talk, auth, status, fault); // true bearer 200 null
console.log(mock.requests.length); // every request since the last reset
// #endregion

// #region accounts
const { userId, apiKey } = mock.accounts.add();
mock.memories.add({ name: 'Memory of another account' }, { userId });
mock.accounts.deactivateKey(apiKey); // 401 from now on
// #endregion

// #region media
const jingle = sampleMedia('audio').bytes;
mock.memories.update(talk, { media: { audio: jingle } });
const bytes = (range = { start: 0, end: jingle.length - 1 }) => jingle.subarray(range.start, range.end + 1);
mock.memories.add({ media: { audio: { bytes, content_type: 'audio/x-wav' } } });
console.log((await client.openMedia(talk, 'audio')).size); // 16044
// #endregion

// #region edge-cases
const edgeCaseMock = createMemoryMock({ memories: Object.values(edgeCases) });
console.log(edgeCaseMock.memories.all().length);
// #endregion
