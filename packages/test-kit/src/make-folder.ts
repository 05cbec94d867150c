import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates an empty folder that is removed after the test, or with `afterAll` after all tests of the file. */
export function makeFolder(atEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-read-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
