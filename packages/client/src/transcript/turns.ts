import { type Cue, normalizeTranscript } from './normalize-transcript.ts';
import type { TranscriptSource } from './transcript-source.ts';
import { visibleText } from './visible-lines.ts';

/** What one speaker says until another one speaks. */
export interface Turn {
  /** The label as stored. */
  speaker: string;
  /** Milliseconds from the start of the recording. */
  start: number;
  /** When the last of its cues ends, in milliseconds from the start of the recording. */
  end: number;
  /** All that is said in it, on one line. */
  text: string;
  /** The cues that it is made of, at least one. */
  cues: Cue[];
}

/**
 * Who says what, in order of start: neighbouring segments of one speaker merged.
 *
 * Labels are one speaker where they are equal as stored. A blank label names nobody, so its segments stay apart.
 *
 * @example
 * ```ts
 * for (const { speaker, start, text } of turns(memory)) console.log(`${speaker}, after ${start} ms: ${text}`);
 * ```
 */
export function turns(memory: TranscriptSource): Turn[] {
  const groups: Cue[][] = [];
  for (const cue of normalizeTranscript(memory).cues) {
    const group = groups.at(-1);
    if (cue.speaker.trim() !== '' && group?.[0]?.speaker === cue.speaker) group.push(cue);
    else groups.push([cue]);
  }
  return groups.map(toTurn);
}

function toTurn(cues: Cue[]): Turn {
  const [{ speaker, start }] = cues as [Cue];
  const end = cues.reduce((latest, cue) => Math.max(latest, cue.end), start);
  return { speaker, start, end, text: visibleText(cues.map(({ text }) => text).join('\n')), cues };
}
