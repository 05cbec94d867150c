import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount, listAll } from '@memory-read/test-kit/memory-service';
import { sampleRecords } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test } from 'vitest';
import { canMount, type Disk, runOnDisk } from './spent-disk.ts';

const lines = Array.from(sampleRecords(5_000), (record) => JSON.stringify({ ...record, id: `new ${record.id}` }));
const commands = {
  import: { args: ['import', '-', '--account', 'ada', '--db', 'memories.sqlite'], input: lines.join('\n') },
  'keys create': { args: ['keys', 'create', '--account', 'ada', '--db', 'memories.sqlite'] },
  serve: { args: ['serve', '--port', '0', '--db', 'memories.sqlite', '--media-dir', '.'] },
};
const noRoom = 'the disk is full. Free some space, and try again';
const notOpened = 'its file system is read-only. Mount it for writing, or choose another path';
const failure = 'Failed to use the SQLite store "memories.sqlite"';
let folder: string;
let keyId: string;

beforeEach(async () => {
  folder = join(makeFolder(), 'data');
  mkdirSync(folder);
  const store = openSqliteStore({ path: join(folder, 'memories.sqlite') });
  ({ keyId } = await addAccount(store, 'ada', sampleRecords(20)));
  await store.close();
});

test.runIf(canMount).each<[keyof typeof commands, Disk, string]>([
  ['import', 'small', noRoom],
  ['import', 'full', noRoom],
  ['import', 'read-only', notOpened],
  ['keys create', 'full', noRoom],
  ['keys create', 'read-only', notOpened],
  ['serve', 'full', noRoom],
  ['serve', 'read-only', notOpened],
])('%s on a disk that is %s ends with 1 and one line, and nothing is lost', async (command, disk, reason) => {
  const { code, stdout, stderr } = await runOnDisk(disk, folder, commands[command]);
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `${failure}: ${reason}.\n` });
  const store = openSqliteStore({ path: join(folder, 'memories.sqlite') });
  const found = await listAll(store);
  const keys = await store.listApiKeys();
  await store.close();
  expect(found).toHaveLength(20);
  expect(keys.map((key) => key.keyId)).toEqual([keyId]);
});
