import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../testing/run-cli.ts';
import { openSqliteStorage } from './open-sqlite-storage.ts';

test.skipIf(process.platform === 'win32')('is ready only while its file is where it was opened', async () => {
  const path = join(temporaryDirectory(), 'memories.sqlite');
  const storage = openSqliteStorage(path);
  onTestFinished(() => storage.close());
  await expect(storage.checkReadiness()).resolves.toBeUndefined();
  const missing = `Failed to use ${path}: the open file was removed or replaced. Restore it, or restart the server.`;
  renameSync(path, `${path}.moved`);
  await expect(storage.checkReadiness()).rejects.toThrow(missing);
  copyFileSync(`${path}.moved`, path);
  await expect(storage.checkReadiness()).rejects.toThrow(missing);
  renameSync(`${path}.moved`, path);
  await expect(storage.checkReadiness()).resolves.toBeUndefined();
});
