import { toMarkdown } from '@memory-read/client/transcript';
import { visibleText } from '../terminal/visible-text.ts';

const origin = '1970-01-01T00:00:00Z';

/** Returns a text on one line of Markdown that is rendered as it is, with escapes for unsafe characters. */
export function escapeMarkdown(text: string): string {
  const segment = { speaker: '', start_at: origin, end_at: origin, text: visibleText(text.replace(/\s*\n\s*/g, ' ')) };
  return toMarkdown({ started_at: origin, transcript: { segments: [segment] } }, { speakerLabels: false }).trimEnd();
}
