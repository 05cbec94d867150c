import { peakMemory } from '../measurement/peak-memory.ts';

/** What a server's process has used up since it began. */
export interface Usage {
  cpuMicroseconds: number;
  /** The most memory that it ever held. */
  peakBytes: number;
}

/** Sends the URL of a server to the parent process, returns its usage on request, and ends with the parent. */
export function announce(url: string): void {
  process.on('disconnect', () => process.exit());
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const usage: Usage = { cpuMicroseconds: user + system, peakBytes: peakMemory() };
    process.send?.(usage);
  });
  process.send?.({ url });
}
