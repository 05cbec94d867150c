import { formatClock } from './format-time.ts';
import { labelledText } from './labelled-text.ts';
import type { TranscriptTextOptions } from './transcript-options.ts';
import type { TranscriptSource } from './transcript-source.ts';
import { type Turn, turns } from './turns.ts';

/**
 * Returns the transcript as plain text: one line for each turn, such as `Speaker 1: …`.
 *
 * A null transcript becomes an empty text. Line breaks within a turn become spaces. If a label is blank, a text with a
 * colon gets the label `?:`. A text can therefore never look like the turn of another speaker. Control characters,
 * embeddings, overrides and isolates become U+FFFD. See section 2.2 of the specification.
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
