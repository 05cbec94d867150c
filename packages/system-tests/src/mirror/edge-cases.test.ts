import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Memory, MemoryClient } from '@memory-read/client';
import type { MemoryRecord } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import { edgeCases } from '@memory-read/fixtures';
import { openMirror } from '@memory-read/mirror';
import { allOf } from '@memory-read/test-kit/all-of';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { mediaFrom } from '@memory-read/test-kit/memory-service';
import { expect, test } from 'vitest';
import { openClient } from './open-client.ts';

const records: MemoryRecord[] = Object.values(edgeCases);

test('serves every edge case from the records of a mirror like the first server', async () => {
  const folder = makeFolder();
  const { client: first } = await openClient(records, {
    source: mediaFrom((objectKey) => new TextEncoder().encode(`media of ${objectKey}`)),
  });
  const mirror = await openMirror({ folder });
  expect(await mirror.sync(first, { media: true })).toMatchObject({ added: records.length, failed: [] });
  // This sync would read memories again whose list and details disagree.
  const again = { requests: 1, unchanged: records.length, mediaSaved: 0 };
  expect(await mirror.sync(first, { media: true })).toMatchObject(again);
  const exported = await allOf(mirror.exportRecords());
  await mirror.close();
  const { client: second } = await openClient(exported, {
    source: mediaFrom((objectKey) => new Uint8Array(readFileSync(join(folder, 'media', objectKey)))),
  });
  expect(await readAccount(second)).toEqual(await readAccount(first));
});

/** Returns all memories of a server, with the bytes of their media instead of the URLs. */
async function readAccount(client: MemoryClient) {
  const listed = await client.listMemories();
  const memories: unknown[] = [];
  for (const { id } of listed) {
    const memory = await client.getMemory(id);
    const media = kindsOf(memory).map(async (kind) => {
      const { contentType, body } = await client.openMedia(id, kind);
      return [kind, contentType, await new Response(body).text()];
    });
    memories.push([withoutUrls(memory), await Promise.all(media)]);
  }
  return { listed: listed.map((memory) => [withoutUrls(memory), kindsOf(memory)]), memories };
}

/** A mirror saves no media while a memory is processing. */
function kindsOf(memory: Memory) {
  return mediaKinds.filter((kind) => memory[`${kind}_url`] !== null && !memory.is_processing);
}

function withoutUrls(memory: Memory) {
  return { ...memory, ...Object.fromEntries(mediaKinds.map((kind) => [`${kind}_url`, undefined])) };
}
