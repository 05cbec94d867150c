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
