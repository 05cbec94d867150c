import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** File system in memory. Tests that write to disk thousands of times would mostly wait for it. */
const MEMORY = '/dev/shm';

/** Creates an empty folder that is removed after the test, or with `afterAll` after all tests of the file. */
export function makeFolder(atEnd: (remove: () => void) => void = onTestFinished): string {
  return makeFolderIn(tmpdir(), atEnd);
}

/** Creates such a folder in memory if the system has a file system there. */
export function makeFolderInMemory(atEnd: (remove: () => void) => void = onTestFinished): string {
  return makeFolderIn(existsSync(MEMORY) ? MEMORY : tmpdir(), atEnd);
}

function makeFolderIn(parent: string, atEnd: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(parent, 'memory-read-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
