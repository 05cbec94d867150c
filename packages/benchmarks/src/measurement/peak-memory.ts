import { existsSync, readFileSync } from 'node:fs';

const statusFile = '/proc/self/status';

/**
 * The most memory in bytes that this process ever held: VmHWM where there is one, because what Node calls `maxRSS`
 * begins with the memory of the process that started this one.
 */
export function peakMemory(): number {
  const status = existsSync(statusFile) ? readFileSync(statusFile, 'utf8') : '';
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kilobytes) * 1024;
}
