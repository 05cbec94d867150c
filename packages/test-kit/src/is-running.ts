import { readFileSync } from 'node:fs';

/** Returns whether a process runs. One that has ended can keep its id until its parent reads how it ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
