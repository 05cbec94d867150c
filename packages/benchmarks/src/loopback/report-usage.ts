/** Loaded into a server's process: returns its usage to the parent on request, and ends with the parent. */
import { peakMemory } from '../measurement/process-memory.ts';

/** What a server's process has used up since it began. */
export interface Usage {
  cpuMicroseconds: number;
  /** The most memory that it ever held. */
  peakBytes: number;
}

process.on('disconnect', () => process.exit());
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const usage: Usage = { cpuMicroseconds: user + system, peakBytes: peakMemory() };
  process.send?.(usage);
});
