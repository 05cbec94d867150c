import { formatTime } from './format-time.ts';
import { type Cue, normalizeTranscript } from './normalize-transcript.ts';
import type { SubtitleOptions } from './transcript-options.ts';
import type { TranscriptSource } from './transcript-source.ts';
import { visibleLines, visibleText } from './visible-lines.ts';

/**
 * The transcript as WebVTT with a voice tag for each speaker; without cues for a null transcript.
 *
 * Text and labels are escaped. Blank lines within a text are left out, since they would end its cue. Times are mended
 * as {@link normalizeTranscript} tells.
 *
 * @example
 * ```ts
 * const trackUrl = URL.createObjectURL(new Blob([toVtt(memory)], { type: 'text/vtt' }));
 * ```
 */
export function toVtt(memory: TranscriptSource, options: SubtitleOptions = {}): string {
  const { speakerLabels = true } = options;
  const cues = normalizeTranscript(memory).cues.map((cue) => {
    const times = `${formatTime(cue.start, '.')} --> ${formatTime(cue.end, '.')}`;
    return `\n${times}\n${payloadOf(cue, speakerLabels)}\n`;
  });
  return ['WEBVTT\n', ...cues].join('');
}

function payloadOf({ speaker, text }: Cue, speakerLabels: boolean): string {
  const payload = escapeMarkup(visibleLines(text).join('\n'));
  const voice = speakerLabels ? escapeMarkup(visibleText(speaker)) : '';
  // A label that ends in two dashes would make an arrow with the end of its tag.
  return voice === '' ? payload : `<v ${voice.replace(/--$/, '-&#45;')}>${payload}</v>`;
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
