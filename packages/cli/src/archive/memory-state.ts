import { createHash } from 'node:crypto';
import type { ListedMemory, Memory } from '@memory-read/client';
import type { Holding } from './archived-memory.ts';

/**
 * Digest of all that the list tells of a memory and that stays the same while nothing happens. Of the URLs, which are
 * new in each response, it holds only whether they are there.
 */
export function memoryState(memory: ListedMemory): string {
  const { name, summary, audio_url, video_url, preview_image_url } = memory;
  const urls = [audio_url, video_url, preview_image_url].map((url) => url !== null);
  return digest([name, ...recording(memory), summary && [summary.quick_summary, summary.key_takeaways], urls]);
}

/** The same of what media depend on: a new name is no new recording. */
export function recordingState(memory: ListedMemory): string {
  return digest(recording(memory));
}

/** The state of media that the memory has no more. */
export const removedState = 'gone';

/**
 * The state of a memory, if its details are of the one that the list tells of. Else one of both is behind, and it has to
 * be read again. A list without summaries is behind of nothing.
 */
export function agreedState(
  listed: ListedMemory,
  memory: Memory,
  stateOf: (memory: ListedMemory) => string,
): string | undefined {
  const state = stateOf(listed);
  const summary = listed.summary && memory.summary;
  return stateOf({ ...memory, transcript: null, summary }) === state ? state : undefined;
}

/** What a memory has that may be taken back, become null or be emptied. */
export function holdingsOf({ is_processing, summary, transcript }: Memory): Holding[] {
  const summaryTexts = summary ? [summary.quick_summary, ...summary.key_takeaways] : [];
  const holdings: [Holding, boolean][] = [
    ['processed', !is_processing],
    ['summary', summaryTexts.some(hasText)],
    ['transcript', transcript?.segments.some(({ text }) => hasText(text)) === true],
  ];
  return holdings.filter(([, isHeld]) => isHeld).map(([holding]) => holding);
}

function recording({ started_at, ended_at, duration_seconds, is_processing }: ListedMemory): unknown[] {
  return [instant(started_at), instant(ended_at), duration_seconds, is_processing];
}

/** The same for all ways to write a date-time. */
function instant(dateTime: string): number | string {
  const milliseconds = Date.parse(dateTime);
  return Number.isNaN(milliseconds) ? dateTime : milliseconds;
}

function hasText(text: string): boolean {
  return text.trim() !== '';
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
