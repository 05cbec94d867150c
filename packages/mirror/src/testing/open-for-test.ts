import { onTestFinished } from 'vitest';
import { type Mirror, type OpenMirrorOptions, openMirror } from '../index.ts';

/** Opens a mirror, and closes it after the test. */
export async function openForTest(options: OpenMirrorOptions): Promise<Mirror> {
  const mirror = await openMirror(options);
  onTestFinished(() => mirror.close());
  return mirror;
}
