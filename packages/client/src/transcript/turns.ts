import { replaceControls } from '@memory-read/contract/redaction';
import { joinTexts } from './join-texts.ts';
import { type Cue, normalizeTranscript } from './normalize-transcript.ts';
import type { TranscriptSource } from './transcript-source.ts';

/** Adjacent cues of one speaker. */
export interface Turn {
  /** Speaker label as stored. */
  speaker: string;
  /** Start in milliseconds from the start of the recording. */
  start: number;
  /** Latest end of its cues, in milliseconds from the start of the recording. */
  end: number;
  /** Text of all its cues, on one line. Control characters in it are U+FFFD. */
  text: string;
  /** Cues of the turn, at least one. */
  cues: Cue[];
}

/**
 * Returns the turns of the transcript, sorted by start: adjacent segments of one speaker are merged.
 *
 * Labels are compared as stored. Segments with a blank label are not merged, because their speakers are unknown. See
 * section 2.3 of the specification.
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
  return { speaker, start, end, text: replaceControls(joinTexts(cues.map(({ text }) => text))), cues };
}
