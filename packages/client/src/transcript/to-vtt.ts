import { type Caption, captionsOf } from './captions.ts';
import { formatTime } from './format-time.ts';
import type { SubtitleOptions } from './transcript-options.ts';
import type { TranscriptSource } from './transcript-source.ts';
import { visibleText } from './visible-lines.ts';

/**
 * Returns the transcript as WebVTT subtitles, with a voice tag for each speaker.
 *
 * Segments that are too long for the screen are split, and short ones stay longer: see {@link SubtitleOptions.cues}. The
 * times of the parts are interpolated by characters.
 *
 * A null transcript becomes a file without cues. Texts and labels are escaped. Blank lines are removed, because they
 * would end a cue. Control characters, embeddings, overrides and isolates become U+FFFD. Times are corrected as
 * {@link normalizeTranscript} describes. See section 2.2 of the specification.
 *
 * @example
 * ```ts
 * const trackUrl = URL.createObjectURL(new Blob([toVtt(memory)], { type: 'text/vtt' }));
 * ```
 */
export function toVtt(memory: TranscriptSource, options: SubtitleOptions = {}): string {
  const { speakerLabels = true } = options;
  const cues = captionsOf(memory, options, () => '').map((caption) => {
    const times = `${formatTime(caption.start, '.')} --> ${formatTime(caption.end, '.')}`;
    return `\n${times}\n${payloadOf(caption, speakerLabels)}\n`;
  });
  return ['WEBVTT\n', ...cues].join('');
}

function payloadOf({ speaker, lines }: Caption, speakerLabels: boolean): string {
  const payload = escapeMarkup(lines.join('\n'));
  const voice = speakerLabels ? escapeMarkup(visibleText(speaker)) : '';
  // A label that ends in two dashes would form an arrow with the end of its tag.
  return voice === '' ? payload : `<v ${voice.replace(/--$/, '-&#45;')}>${payload}</v>`;
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
