import { formatTime } from './format-time.ts';
import { labelledText } from './labelled-text.ts';
import { type Cue, normalizeTranscript } from './normalize-transcript.ts';
import type { SubtitleOptions } from './transcript-options.ts';
import type { TranscriptSource } from './transcript-source.ts';
import { visibleLines } from './visible-lines.ts';

/** Where some player could see an arrow, a tag, an override code or an escape. */
const markup = /--(?=>)|[<{]|\\(?=[nh])/gi;
const wordJoiner = '\u2060';

/**
 * The transcript as SubRip subtitles, `Speaker 1: …`; an empty text for a null transcript.
 *
 * SubRip has no escapes: within `-->`, after `<` and `{`, and between a backslash and `n`, `N`, `h` or `H` stands an
 * invisible U+2060, since players take these for arrows, tags, overrides and line breaks. Blank lines within a text are
 * left out, since they would end its cue; a later line of it may look like that of another speaker. Times are mended as
 * {@link normalizeTranscript} tells.
 *
 * @example
 * ```ts
 * console.log(toSrt(memory));
 * ```
 */
export function toSrt(memory: TranscriptSource, options: SubtitleOptions = {}): string {
  const { speakerLabels = true } = options;
  return normalizeTranscript(memory)
    .cues.map((cue, index) => {
      const times = `${formatTime(cue.start, ',')} --> ${formatTime(cue.end, ',')}`;
      return `${index + 1}\n${times}\n${bodyOf(cue, speakerLabels).replace(markup, `$&${wordJoiner}`)}\n`;
    })
    .join('\n');
}

function bodyOf({ speaker, text }: Cue, speakerLabels: boolean): string {
  const body = visibleLines(text).join('\n');
  return speakerLabels ? labelledText(speaker, body) : body;
}
