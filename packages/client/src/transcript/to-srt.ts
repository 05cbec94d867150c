import { captionsOf } from './captions.ts';
import { formatTime } from './format-time.ts';
import { labelledText, labelOf } from './labelled-text.ts';
import type { SubtitleOptions } from './transcript-options.ts';
import type { TranscriptSource } from './transcript-source.ts';

/** Places where players could see an arrow, a tag, an override code or an escape. */
const markup = /--(?=>)|[<{]|\\(?=[nh])/gi;
const wordJoiner = '\u2060';

/**
 * Returns the transcript as SubRip subtitles. Each cue begins with its speaker: `Speaker 1: …`.
 *
 * Segments that are too long for the screen are split, and short ones stay longer: see {@link SubtitleOptions.cues}. The
 * times of the parts are interpolated by characters.
 *
 * A null transcript becomes an empty text. SubRip has no escapes, but players interpret arrows, tags, overrides and
 * line breaks. An invisible U+2060 is therefore inserted within `-->`, after `<` and `{`, and between a backslash and
 * `n`, `N`, `h` or `H`. Blank lines are removed, because they would end a cue. A later line of a text can look like the
 * label of another speaker. Control characters, embeddings, overrides and isolates become U+FFFD. Times are corrected as
 * {@link normalizeTranscript} describes. See section 2.2 of the specification.
 *
 * @example
 * ```ts
 * console.log(toSrt(memory));
 * ```
 */
export function toSrt(memory: TranscriptSource, options: SubtitleOptions = {}): string {
  const { speakerLabels = true } = options;
  return captionsOf(memory, options, speakerLabels ? labelOf : () => '')
    .map(({ start, end, speaker, lines }, index) => {
      const times = `${formatTime(start, ',')} --> ${formatTime(end, ',')}`;
      const text = lines.join('\n');
      const body = speakerLabels ? labelledText(speaker, text) : text;
      return `${index + 1}\n${times}\n${body.replace(markup, `$&${wordJoiner}`)}\n`;
    })
    .join('\n');
}
