import type { Cue } from '@memory-read/client/transcript';

/** What one speaker says until another one speaks, cue by cue. */
export interface Turn {
  speaker: string;
  /** The place of the speaker among all, in order of appearance. */
  voice: number;
  /** Index of the first of its lines among those of all turns. */
  first: number;
  lines: readonly Cue[];
}

export function toTurns(cues: readonly Cue[]): Turn[] {
  const voices = new Map<string, number>();
  const turns: { speaker: string; voice: number; first: number; lines: Cue[] }[] = [];
  for (const [index, cue] of cues.entries()) {
    const last = turns.at(-1);
    if (last?.speaker === cue.speaker) {
      last.lines.push(cue);
      continue;
    }
    const voice = voices.get(cue.speaker) ?? voices.size;
    voices.set(cue.speaker, voice);
    turns.push({ speaker: cue.speaker, voice, first: index, lines: [cue] });
  }
  return turns;
}

/** Number of colors for speakers. Further speakers repeat them. */
export const VOICE_COLORS = 6;

/** The label, or words where there is nothing to see of it. */
export function speakerName(label: string): string {
  return label.trim() === '' ? 'Unknown speaker' : label;
}

const PART_LINES = 40;

/** Turns in parts of some dozen lines: what is out of sight is neither laid out nor compared. */
export function toParts(turns: readonly Turn[]): Turn[][] {
  const parts: Turn[][] = [];
  for (const turn of turns) {
    const part = parts.at(-1);
    const begin = part?.[0]?.first ?? 0;
    if (part && turn.first - begin < PART_LINES) part.push(turn);
    else parts.push([turn]);
  }
  return parts;
}
