import { formatClock } from './format-time.ts';
import { labelledText } from './labelled-text.ts';
import type { TranscriptTextOptions } from './transcript-options.ts';
import type { TranscriptSource } from './transcript-source.ts';
import { type Turn, turns } from './turns.ts';

/**
 * The transcript to read or to search: one line a turn, `Speaker 1: …`; an empty text for a null transcript.
 *
 * A line break within a text becomes a space, and a text with a colon whose label is blank stands behind `?:`, so no
 * text can pass for another speaker's turn.
 *
 * @example
 * ```ts
 * console.log(toText(memory));
 * ```
 */
export function toText(memory: TranscriptSource, options: TranscriptTextOptions = {}): string {
  return turns(memory)
    .map((turn) => `${lineOf(turn, options)}\n`)
    .join('');
}

function lineOf({ speaker, start, text }: Turn, options: TranscriptTextOptions): string {
  const { speakerLabels = true, timestamps = false } = options;
  const parts = [timestamps && `[${formatClock(start)}]`, speakerLabels ? labelledText(speaker, text) : text];
  return parts.filter(Boolean).join(' ');
}
