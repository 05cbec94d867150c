import { readFileSync } from 'node:fs';

/** Returns the processor time that a process has used so far, in microseconds. */
export function processorTimeOf(pid: number): number {
  // The name of the program ends with the last bracket. The 12th and 13th fields after it are the processor time.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  const tickMicroseconds = 10_000;
  return (Number(fields[11]) + Number(fields[12])) * tickMicroseconds;
}
