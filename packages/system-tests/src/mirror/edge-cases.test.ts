import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Memory, MemoryClient } from '@memory-read/client';
import type { MemoryRecord } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import { edgeCases } from '@memory-read/fixtures';
import { openMirror } from '@memory-read/mirror';
import { createInMemoryStore, type MediaSource } from '@memory-read/server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount, createMemoryService, mediaFrom } from '@memory-read/test-kit/memory-service';
import { expect, test } from 'vitest';

const records: MemoryRecord[] = Object.values(edgeCases);

test('serves every edge case from the records of a mirror like the first server', async () => {
  const folder = makeFolder();
  const first = await serve(
    records,
    mediaFrom((objectKey) => new TextEncoder().encode(`media of ${objectKey}`)),
  );
  const mirror = await openMirror({ folder });
  expect(await mirror.sync(first, { media: true })).toMatchObject({ added: records.length, failed: [] });
  // This sync would read memories again whose list and details disagree.
  expect(await mirror.sync(first, { media: true })).toMatchObject({
    requests: 1,
    unchanged: records.length,
    mediaSaved: 0,
  });
  const exported: MemoryRecord[] = [];
  for await (const record of mirror.exportRecords()) exported.push(record);
  await mirror.close();
  const second = await serve(
    exported,
    mediaFrom((objectKey) => new Uint8Array(readFileSync(join(folder, 'media', objectKey)))),
  );

  expect(await readAccount(second)).toEqual(await readAccount(first));
});

async function serve(memories: readonly MemoryRecord[], source: MediaSource): Promise<MemoryClient> {
  const store = createInMemoryStore();
  const { key } = await addAccount(store, 'user_1', memories);
  const { fetch } = createMemoryService(store, 'https://api.example.com', { source });
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: key, fetch });
}

/** Returns all memories of a server, with the bytes of their media instead of the URLs. */
async function readAccount(client: MemoryClient) {
  const list = await client.listMemories();
  const memories: unknown[] = [];
  for (const { id } of list) memories.push(await withMedia(client, await client.getMemory(id)));
  const listed = list.map((memory) => ({ ...memory, ...urlsOf(memory, (_kind, isThere) => isThere) }));
  return { listed, memories };
}

async function withMedia(client: MemoryClient, memory: Memory) {
  const media = await Promise.all(
    mediaKinds.map(async (kind) => {
      if (!hasMedia(memory, kind)) return undefined;
      const { contentType, body } = await client.openMedia(memory.id, kind);
      return [contentType, await new Response(body).text()];
    }),
  );
  return { ...memory, ...urlsOf(memory, () => undefined), media };
}

/** A mirror saves no media while a memory is processing. */
function hasMedia(memory: Memory, kind: (typeof mediaKinds)[number]): boolean {
  return memory[`${kind}_url`] !== null && !memory.is_processing;
}

function urlsOf(memory: Memory, show: (kind: (typeof mediaKinds)[number], isThere: boolean) => unknown) {
  return Object.fromEntries(mediaKinds.map((kind) => [`${kind}_url`, show(kind, hasMedia(memory, kind))]));
}
