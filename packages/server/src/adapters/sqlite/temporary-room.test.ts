import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryStoreFile } from './temporary-store-file.test-support.ts';

/** Only `/proc` shows the deleted files that a process has open. */
test.runIf(existsSync('/proc/self/fd'))('a batch frees its temporary storage, stored or rejected', () => {
  const path = temporaryStoreFile();
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--conditions=@memory-read/source', '--eval', script, path],
    { encoding: 'utf8', env: { ...process.env, SQLITE_TMPDIR: dirname(path) } },
  );
  expect(stderr).toBe('');
  const { before, during, stored, refused } = JSON.parse(stdout);
  expect(during).toHaveLength(2);
  for (const bytes of during) expect(bytes).toBeGreaterThan(3_000_000);
  expect([before, stored, refused]).toEqual([0, 0, 0]);
});

const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

const script = `
  import { fstatSync, readdirSync, readlinkSync } from 'node:fs';
  import { dirname } from 'node:path';
  import { openSqliteStore } from ${source('./open-sqlite-store.ts')};
  import { createRecord, createTranscript } from ${source('../../testing/test-records.ts')};

  const path = process.argv[1];
  const store = openSqliteStore({ path });
  await store.putAccount({ userId: 'ada' });
  const during = [];

  function* records(lastId) {
    const transcript = createTranscript('long '.repeat(3_000));
    for (let index = 0; index < 400; index += 1) yield createRecord({ id: 'id' + index, transcript });
    during.push(temporaryBytes());
    yield createRecord({ id: lastId });
  }

  const before = temporaryBytes();
  await store.putMemories('ada', records('last'));
  const stored = temporaryBytes();
  await store.putMemories('ada', records('..')).catch(() => {});
  console.log(JSON.stringify({ before, during, stored, refused: temporaryBytes() }));

  function temporaryBytes() {
    return readdirSync('/proc/self/fd').reduce((sum, fd) => sum + bytesOf(fd), 0);
  }

  function bytesOf(fd) {
    try {
      const target = readlinkSync('/proc/self/fd/' + fd);
      const isTemporary = target.startsWith(dirname(path)) && target.endsWith(' (deleted)');
      return isTemporary ? fstatSync(Number(fd)).size : 0;
    } catch {
      // This descriptor was opened to read the directory, and is closed by now.
      return 0;
    }
  }
`;
