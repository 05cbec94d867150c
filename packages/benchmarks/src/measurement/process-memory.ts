import { existsSync, readFileSync } from 'node:fs';
import { collectGarbage } from '@memory-read/test-kit/collect-garbage';

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

/** Bytes that are left of heap and buffers when all garbage is gone. */
export async function heldMemory(): Promise<number> {
  await collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
