import { existsSync, readFileSync } from 'node:fs';

const statusFile = '/proc/self/status';

/**
 * Returns the peak memory of this process, in bytes. VmHWM is preferred: `maxRSS` of Node begins with the memory of the
 * parent.
 */
export function peakMemory(): number {
  const status = existsSync(statusFile) ? readFileSync(statusFile, 'utf8') : '';
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kilobytes) * 1024;
}

/** Bytes that are left of heap and buffers when all garbage is gone. Needs `--expose-gc`. */
export async function heldMemory(): Promise<number> {
  // One collection can make other objects collectable, and buffers are freed a little later.
  for (let collection = 0; collection < 3; collection += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
