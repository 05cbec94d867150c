import { storedSegments } from '@memory-read/client/transcript';
import { parseDateTime } from '@memory-read/contract/date-time';
import type { Spoken } from './said.ts';

/** Times in milliseconds since 1970, sorted, that do not touch each other: start, end, start, end, and so on. */
export type Times = readonly number[];

/** A segment with a readable start. It lasts at least 1 ms. */
interface Utterance {
  label: string;
  text: string;
  start: number;
  end: number;
}

/** When the speakers of a version speak. */
export interface SpeakingTimes {
  utterances: readonly Utterance[];
  byLabel: ReadonlyMap<string, Times>;
  /** Times at which at least one speaker speaks. */
  all: Times;
}

/** Returns when each speaker of a version speaks. A segment without a readable start counts as no time. */
export function speakingTimes(memory: Spoken): SpeakingTimes {
  const utterances: Utterance[] = [];
  for (const { speaker: label, start_at, end_at, text } of storedSegments(memory)) {
    const start = parseDateTime(start_at);
    if (start === undefined) continue;
    utterances.push({ label, text, start, end: Math.max(parseDateTime(end_at) ?? start, start + 1) });
  }
  utterances.sort((a, b) => a.start - b.start);
  const byLabel = new Map<string, number[]>();
  const all: number[] = [];
  for (const { label, start, end } of utterances) {
    const times = byLabel.get(label) ?? [];
    byLabel.set(label, times);
    for (const to of [times, all]) add(to, start, end);
  }
  return { utterances, byLabel, all };
}

/** Adds a time that starts at the last start or later. */
function add(times: number[], start: number, end: number): void {
  const last = times.at(-1);
  if (last === undefined || start > last) times.push(start, end);
  else if (end > last) times[times.length - 1] = end;
}

/** Returns the length of times, in milliseconds. */
export function lengthOf(times: Times): number {
  return sharedTime(times, times);
}

/** Returns how long both times last together, in milliseconds. */
export function sharedTime(a: Times, b: Times): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [endOfA = 0, endOfB = 0] = [a[i + 1], b[j + 1]];
    shared += Math.max(0, Math.min(endOfA, endOfB) - Math.max(a[i] ?? 0, b[j] ?? 0));
    if (endOfA <= endOfB) i += 2;
    else j += 2;
  }
  return shared;
}

/**
 * Returns the label whose texts another version has at more than half of the time of a label, by this label. Times move
 * if the start of a recording is corrected; its texts still distinguish the speakers.
 */
export function sameTexts(then: SpeakingTimes, now: SpeakingTimes): Map<string, string> {
  // A text that several speakers said, such as "Yes.", says nothing about them.
  const speakerOf = new Map<string, string | null>();
  for (const { label, text } of then.utterances) {
    const known = speakerOf.get(text);
    speakerOf.set(text, known === undefined || known === label ? label : null);
  }
  const counts = new Map<string, { all: number; by: Map<string, number> }>();
  for (const { label, text, start, end } of now.utterances) {
    const count = counts.get(label) ?? { all: 0, by: new Map() };
    counts.set(label, count);
    count.all += end - start;
    const speaker = speakerOf.get(text);
    if (speaker != null) count.by.set(speaker, (count.by.get(speaker) ?? 0) + end - start);
  }
  const found = new Map<string, string>();
  for (const [label, { all, by }] of counts) {
    for (const [speaker, time] of by) if (2 * time > all) found.set(label, speaker);
  }
  return found;
}
