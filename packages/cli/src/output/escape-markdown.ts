import { toMarkdown } from '@memory-read/client/transcript';
import { visibleText } from '../terminal/visible-text.ts';

/** Returns a text on one line of Markdown that is rendered as it is, with escapes for unsafe characters. */
export function escapeMarkdown(text: string): string {
  return markdownLine(visibleText(text.replace(/\s*\n\s*/g, ' ')));
}

/**
 * Returns a text on one line of Markdown that is rendered as it is, with U+FFFD for unsafe characters, as in the
 * transcript. It is rendered as a turn without a speaker.
 */
export function markdownLine(text: string): string {
  const segment = { speaker: '', start_at: origin, end_at: origin, text };
  return toMarkdown({ started_at: origin, transcript: { segments: [segment] } }, { speakerLabels: false }).trimEnd();
}

const origin = '1970-01-01T00:00:00Z';
