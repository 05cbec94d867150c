import type { MemoryClient } from '@memory-read/client';
import { turns } from '@memory-read/client/transcript';
import { cutAt, plainText, readId } from '../output/plain-text.ts';
import { takePage } from '../output/take-page.ts';

export interface TranscriptInput {
  memory_id: string;
  cursor?: string | undefined;
}

/** Maximum characters of one entry. A longer turn continues in the next entry. */
const LONGEST_ENTRY = 1_500;

interface Entry {
  /** Seconds from the start of the recording. */
  at: number;
  speaker: string;
  text: string;
}

/** Returns a page of the transcript. The cursor counts entries. */
export async function getTranscript(client: MemoryClient, { memory_id, cursor }: TranscriptInput, signal: AbortSignal) {
  const memory = await client.getMemory(readId(memory_id), { signal });
  const entries = turns(memory).flatMap(({ start, speaker, text }) =>
    pieces(plainText(text)).map(
      (piece): Entry => ({
        at: Math.floor(start / 1_000),
        speaker: plainText(speaker, 60),
        text: piece,
      }),
    ),
  );
  const first = parseCursor(cursor, entries.length);
  const page = takePage(entries.slice(first));
  const next = first + page.length;
  return {
    is_processing: memory.is_processing,
    entries: page,
    ...(next < entries.length && { next_cursor: String(next), more: entries.length - next }),
  };
}

function parseCursor(cursor: string | undefined, count: number): number {
  if (cursor === undefined) return 0;
  const first = /^\d{1,9}$/.test(cursor) ? Number(cursor) : count;
  if (first < count) return first;
  throw new Error('Failed to get the transcript: the cursor is invalid. Call get_transcript without a cursor.');
}

function pieces(text: string): string[] {
  const result: string[] = [];
  for (let rest = text; rest !== ''; rest = rest.slice(result.at(-1)?.length)) result.push(cutAt(rest, LONGEST_ENTRY));
  return result;
}
