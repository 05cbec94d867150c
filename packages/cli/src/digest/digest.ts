import type { ListedMemory } from '@memory-read/client';
import type { TimeRange } from '../times/is-in-range.ts';
import { systemClock } from '../times/system-clock.ts';

/** The summaries of the memories that started in a range. */
export interface Digest {
  /** ISO 8601 date-time, or null without a limit. */
  since: string | null;
  until: string | null;
  /** Name of the IANA database. */
  timeZone: string;
  /** Oldest first. */
  memories: DigestMemory[];
}

/** Data of a memory in a digest. It has no URLs. */
export interface DigestMemory
  extends Pick<ListedMemory, 'id' | 'name' | 'started_at' | 'duration_seconds' | 'is_processing' | 'summary'> {
  /** Names of a mirror, in the order of first speech. Absent without a name. */
  people?: string[] | undefined;
}

/** Returns the digest of memories, newest first, that are in the range already. */
export function createDigest(memories: readonly DigestMemory[], { since, until }: TimeRange): Digest {
  return {
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    timeZone: systemClock().timeZone,
    memories: memories
      .toReversed()
      .map(({ id, name, started_at, duration_seconds, is_processing, summary, people }) => {
        return { id, name, started_at, duration_seconds, is_processing, summary, ...(people && { people }) };
      }),
  };
}
