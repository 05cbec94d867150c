import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryClient, mediaExpiresAt } from '@memory-read/client';
import { isMediaUrlExpired, mediaUrlExpiresAt } from '@memory-read/client/media-url';
import { saveMedia } from '@memory-read/client/node';

const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: process.env.MEMORY_API_KEY });
const folder = await mkdtemp(join(tmpdir(), 'memory-read-'));

// #region media-url
const audio = await client.mediaUrl('mem_1', 'audio', { minimumLifetime: 600_000 });
if (audio) console.log(`It plays until ${audio.expiresAt.toISOString()}.`);
// #endregion

// #region media-expires-at
const recorded = await client.getMemory('mem_1');
console.log(mediaExpiresAt(recorded)?.toISOString());
// #endregion

const audioUrl = recorded.audio_url ?? '';
// #region media-url-expires-at
const expiresAt = mediaUrlExpiresAt(audioUrl, { issuedAt: new Date() });
console.log(`It plays until ${expiresAt?.toISOString()}.`);
// #endregion
// #region is-media-url-expired
if (isMediaUrlExpired(audioUrl, { margin: 60_000 })) console.log('Read the memory again.');
// #endregion

// #region open-media
const { body, size } = await client.openMedia('mem_1', 'audio');
let received = 0;
const reader = body.getReader();
for (let next = await reader.read(); !next.done; next = await reader.read()) received += next.value.byteLength;
console.log(received === size);
// #endregion

// #region save-media
const saved = await saveMedia(client, 'mem_1', 'audio', ({ suffix }) => join(folder, `mem_1${suffix}`));
console.log(`${saved.size} bytes, of which ${saved.resumedFrom} were there already`);
// #endregion
await rm(folder, { recursive: true });
