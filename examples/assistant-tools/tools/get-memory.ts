import type { MemoryClient } from '@memory-read/client';
import { speakers } from '@memory-read/client/transcript';
import { plainText, readId, shownId } from '../output/plain-text.ts';
import { takePage } from '../output/take-page.ts';

export interface MemoryInput {
  memory_id: string;
}

/** Returns a memory without its transcript. Shortened texts are marked. */
export async function getMemory(client: MemoryClient, { memory_id }: MemoryInput, signal: AbortSignal) {
  const memory = await client.getMemory(readId(memory_id), { signal });
  const { id, name, started_at, ended_at, duration_seconds, is_processing, summary, transcript } = memory;
  const allSpeakers = speakers(memory);
  const takeaways = summary?.key_takeaways ?? [];
  const shown = takePage(
    takeaways.map((takeaway) => plainText(takeaway, 400)),
    3_000,
  );
  return {
    id: shownId(id),
    name: plainText(name, 200),
    started_at: plainText(started_at, 40),
    ended_at: plainText(ended_at, 40),
    duration_seconds,
    is_processing,
    speakers: allSpeakers.slice(0, 10).map(({ speaker }) => plainText(speaker, 60)),
    ...(allSpeakers.length > 10 && { more_speakers: allSpeakers.length - 10 }),
    summary: summary && plainText(summary.quick_summary, 1_500),
    key_takeaways: shown,
    ...(shown.length < takeaways.length && { more_takeaways: takeaways.length - shown.length }),
    transcript_characters: transcript?.segments.reduce((sum, { text }) => sum + text.length, 0) ?? 0,
  };
}
