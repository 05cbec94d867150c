import { readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';
/** Bytes that must be free. The folders of all tests that run at the same time hold less. */
const NEEDED_BYTES = 4 * 2 ** 30;

/** Returns a folder in memory in which programs can run, if this system has one that is large enough. */
export function folderInMemory(): string | undefined {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`tmpfs ${folder} `));
    const options = mount?.split(' ')[3]?.split(',') ?? ['noexec'];
    const { bavail, bsize } = statfsSync(folder);
    return options.includes('rw') && !options.includes('noexec') && bavail * bsize > NEEDED_BYTES ? folder : undefined;
  } catch {
    return undefined;
  }
}
