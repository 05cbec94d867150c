import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSqliteStore, type SqliteStore } from './open-sqlite-store.ts';

/** Returns the path of a store file in a directory of its own, which is removed after the test. */
export function temporaryStoreFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'memory-read-sqlite-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'store.sqlite');
}

/** Opens a store, by default in a file of its own, and closes it after the test. */
export function openTemporaryStore(path: string = temporaryStoreFile()): SqliteStore {
  const store = openSqliteStore({ path });
  onTestFinished(() => store.close());
  return store;
}
