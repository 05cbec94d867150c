import { storedSegments } from '@memory-read/client/transcript';
import { parseDateTime } from '@memory-read/contract/date-time';
import type { Spoken } from './said.ts';

/** Times in milliseconds since 1970, sorted, that do not touch each other: start, end, start, end, and so on. */
type Times = readonly number[];

/** When the speakers of a version speak. */
export interface SpeakingTimes {
  /** Times by label, in the order of the segments. */
  byLabel: ReadonlyMap<string, Times>;
  /** Times at which somebody speaks. */
  all: Times;
}

/** Returns when each speaker of a version speaks. A segment without a readable start counts as no time. */
export function speakingTimes(memory: Spoken): SpeakingTimes {
  const spans: Span[] = [];
  const spansOf = new Map<string, Span[]>();
  for (const { speaker, start_at, end_at } of storedSegments(memory)) {
    const found = spansOf.get(speaker) ?? [];
    if (found.length === 0) spansOf.set(speaker, found);
    const start = parseDateTime(start_at);
    if (start === undefined) continue;
    const span: Span = [start, Math.max(parseDateTime(end_at) ?? 0, start + 1)];
    found.push(span);
    spans.push(span);
  }
  return { byLabel: new Map(Array.from(spansOf, ([label, found]) => [label, union(found)])), all: union(spans) };
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

type Span = readonly [start: number, end: number];

function union(spans: Span[]): Times {
  const times: number[] = [];
  for (const [start, end] of spans.sort(([a], [b]) => a - b)) {
    const last = times.at(-1);
    if (last === undefined || start > last) times.push(start, end);
    else times[times.length - 1] = Math.max(last, end);
  }
  return times;
}
