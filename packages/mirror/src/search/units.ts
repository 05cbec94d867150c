import type { Memory, Segment } from '@memory-read/client';
import { parseDateTime } from '@memory-read/contract/date-time';
import type { HitKind } from './search-types.ts';
import { scriptsWithoutSpaces } from './tokens.ts';

/** A text that has to contain all words of a query. */
export interface Unit {
  kind: HitKind;
  speaker: string | null;
  text: string;
  /** Stored as JSON. */
  segments: UnitSegments | string | null;
}

/** The segments of a turn. */
export interface UnitSegments {
  /** Index of the first segment. */
  first: number;
  /** Offset of each segment in the text. */
  starts: number[];
  /** Offset of each segment in the recording, in milliseconds. */
  offsets: number[];
}

const LONGEST_TURN = 64;
/** The key of a unit has 16 bits for its number, so later turns of a memory are not indexed. */
const MOST_UNITS = 65_536;

/** Returns the units of a memory in the order of hits. The first unit is the name, even if it has no words. */
export function unitsOf({ name, started_at, summary, transcript }: Memory): Unit[] {
  const units: Unit[] = [{ kind: 'name', speaker: null, text: name, segments: started_at }];
  if (summary !== null) {
    units.push({ kind: 'summary', speaker: null, text: summary.quick_summary, segments: null });
    for (const text of summary.key_takeaways) units.push({ kind: 'takeaway', speaker: null, text, segments: null });
  }
  return [...units, ...turnsOf(transcript?.segments ?? [], parseDateTime(started_at) ?? 0)].slice(0, MOST_UNITS);
}

function turnsOf(segments: readonly Segment[], startedAt: number): Unit[] {
  const turns: (Unit & { segments: UnitSegments })[] = [];
  for (const [index, { speaker, start_at, text }] of segments.entries()) {
    const offset = Math.max(0, (parseDateTime(start_at) ?? startedAt) - startedAt);
    const turn = turns.at(-1);
    if (turn?.speaker === speaker && turn.segments.starts.length < LONGEST_TURN) {
      turn.text += separator(turn.text, text);
      turn.segments.starts.push(turn.text.length);
      turn.segments.offsets.push(offset);
      turn.text += text;
    } else {
      turns.push({ kind: 'transcript', speaker, text, segments: { first: index, starts: [0], offsets: [offset] } });
    }
  }
  return turns;
}

const unspacedEnd = new RegExp(`${scriptsWithoutSpaces.source}$`, 'u');
const unspacedStart = new RegExp(`^${scriptsWithoutSpaces.source}`, 'u');

/** In scripts without spaces, a word can continue in the next segment, so no space is added. */
function separator(before: string, after: string): string {
  return unspacedEnd.test(before) && unspacedStart.test(after) ? '' : ' ';
}
