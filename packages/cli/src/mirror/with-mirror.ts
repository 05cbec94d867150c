import { type Mirror, type OpenMirrorOptions, openMirror } from '@memory-read/mirror';
import { explainMirrorError } from './explain-mirror-error.ts';

/**
 * Opens a mirror for some work, and closes it.
 *
 * @throws CommandError if the mirror cannot be used.
 */
export async function withMirror<Result>(
  options: OpenMirrorOptions,
  work: (mirror: Mirror) => Promise<Result>,
): Promise<Result> {
  try {
    const mirror = await openMirror(options);
    try {
      return await work(mirror);
    } finally {
      await mirror.close();
    }
  } catch (error) {
    throw explainMirrorError(options.folder, error);
  }
}
