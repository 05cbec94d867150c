import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates an empty folder that is removed after the test. */
export function makeMirrorFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-read-mirror-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
