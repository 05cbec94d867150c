// Mirrors, searches and purges with only the exports of the packed packages. Prints the code of a refusal.
import { strict as assert } from 'node:assert';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { isMirrorError, openMirror } from '@memory-read/mirror';
import { createMemoryMock } from '@memory-read/msw/fetch';

const mock = createMemoryMock();
const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
const { id } = mock.memories.add({ name: 'Zeugnis xylophone', media: {} });
const folder = join(mkdtempSync(join(tmpdir(), 'memory-read-')), 'mirror');

try {
  const mirror = await openMirror({ folder });
  assert.deepEqual((await mirror.sync(client, { media: true })).failed, []);
  assert.equal((await mirror.sync(client, { media: true })).requests, 1);
  mock.memories.update(id, { name: 'Zeugnis vibraphone' });
  assert.equal((await mirror.sync(client)).changed, 1);
  assert.deepEqual(
    (await mirror.history(id)).map(({ type }) => type),
    ['added', 'changed'],
  );
  const { hits } = await mirror.search('zeugnis vibra*');
  assert.deepEqual(
    hits.map(({ memoryId, snippet }) => [memoryId, snippet]),
    [
      [
        id,
        {
          text: 'Zeugnis vibraphone',
          highlights: [
            [0, 7],
            [8, 18],
          ],
        },
      ],
    ],
  );
  assert.ok((await mirror.writePages()).written > 12);
  const purged = { purged: true, leftFiles: [], pendingFolders: [], logPending: false };
  assert.deepEqual(await mirror.purge(id), purged);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.length > 24);
  for (const { parentPath, name } of files) {
    const content = readFileSync(join(parentPath, name), 'latin1');
    for (const text of [id, 'Zeugnis', 'zeugnis', 'ylophone', mock.apiKey]) assert.ok(!content.includes(text), name);
  }
  assert.equal((await mirror.sync(client)).added, 0);
  await mirror.close();
  console.log('the mirror works');
} catch (error) {
  if (!isMirrorError(error)) throw error;
  console.log(`${error.code}: ${error.message}`);
  assert.deepEqual(readdirSync(join(folder, '..')), []);
} finally {
  rmSync(join(folder, '..'), { recursive: true });
}
