import type { Segment } from '@memory-read/contract';
import { parseDateTime } from '@memory-read/contract/date-time';
import type { TranscriptSource } from './transcript-source.ts';
import type { TranscriptWarning, TranscriptWarningKind } from './transcript-warning.ts';

/** A segment where a player shows it: milliseconds from the start of the recording, in whole numbers. */
export interface Cue {
  /** Never below 0. */
  start: number;
  /** At least 1 ms after the start. */
  end: number;
  /** The label as stored. */
  speaker: string;
  /** The text as stored, line breaks and white space included. */
  text: string;
  /** Index in `transcript.segments`. */
  segment: number;
}

/** What {@link normalizeTranscript} returns. */
export interface NormalizedTranscript {
  /** One for each segment, in order of start; those that start together keep the order in which they are stored. */
  cues: Cue[];
  /** What had to be mended, in the order of the segments; empty for a sound transcript. */
  warnings: TranscriptWarning[];
}

/**
 * Every segment as a cue whose times are offsets from `started_at`, and what had to be mended for it.
 *
 * Nothing is dropped and nothing throws: a start before the recording becomes 0, a length of zero or less becomes 1 ms,
 * and a segment whose start cannot be read starts together with the one stored before it. A speaker or a text that is
 * none, in a response that was not validated, is read as an empty one. A null transcript has no cues. All other functions of this entry work on these cues. See sections 2.2 and 2.3 of the specification.
 *
 * @example
 * ```ts
 * const { cues, warnings } = normalizeTranscript(memory);
 * console.log(`${cues.length} cues, the first after ${cues[0]?.start} ms`);
 * for (const { kind, segment } of warnings) console.warn(`${kind}: segment ${segment}`);
 * ```
 */
export function normalizeTranscript(memory: TranscriptSource): NormalizedTranscript {
  const warnings: TranscriptWarning[] = [];
  const segments = readSegments(memory.transcript?.segments, warnings);
  const beginning = beginningOf(memory.started_at, segments, warnings);
  const placed: Cue[] = [];
  for (const [index, segment] of segments.entries()) {
    placed.push(toCue({ segment, index, beginning, previous: placed.at(-1), warnings }));
  }
  warnOfDisorder(placed, warnings);
  const cues = [...placed].sort((a, b) => a.start - b.start);
  warnOfOverlaps(cues, warnings);
  return { cues, warnings: warnings.sort((a, b) => (a.segment ?? -1) - (b.segment ?? -1)) };
}

/** What was not validated can hold anything: what is no text there is read as an empty one. */
function readSegments(segments: unknown, warnings: TranscriptWarning[]): Segment[] {
  if (!Array.isArray(segments)) return [];
  return segments.map((value, segment) => {
    const texts = ['speaker', 'start_at', 'end_at', 'text'].map((name) => [name, value?.[name]]);
    const isWhole = texts.every(([, text]) => typeof text === 'string');
    if (!isWhole) warnings.push({ kind: 'segment-incomplete', segment });
    return Object.fromEntries(texts.map(([name, text]) => [name, typeof text === 'string' ? text : '']));
  });
}

/** Where time counts from; without a readable `started_at`, the earliest moment that can be read. */
function beginningOf(startedAt: string, segments: readonly Segment[], warnings: TranscriptWarning[]): number {
  const beginning = parseDateTime(startedAt);
  if (beginning !== undefined || segments.length === 0) return beginning ?? 0;
  warnings.push({ kind: 'beginning-unreadable', segment: null });
  const starts = segments.flatMap(({ start_at }) => parseDateTime(start_at) ?? []);
  return starts.reduce((earliest, start) => Math.min(earliest, start), starts[0] ?? 0);
}

interface Placement {
  segment: Segment;
  index: number;
  beginning: number;
  previous: Cue | undefined;
  warnings: TranscriptWarning[];
}

function toCue({ segment, index, beginning, previous, warnings }: Placement): Cue {
  const warn = (kind: TranscriptWarningKind) => void warnings.push({ kind, segment: index });
  const from = parseDateTime(segment.start_at);
  const to = parseDateTime(segment.end_at);
  if (from === undefined) warn('start-unreadable');
  if (to === undefined) warn('end-unreadable');
  if (from !== undefined && from < beginning) warn('start-before-beginning');
  if (from !== undefined && to !== undefined && to <= from) warn('length-not-positive');
  const start = from === undefined ? (previous?.start ?? 0) : Math.max(0, from - beginning);
  const end = to === undefined ? start : to - beginning;
  const { speaker, text } = segment;
  return { start, end: Math.max(end, start + 1), speaker, text, segment: index };
}

function warnOfDisorder(placed: readonly Cue[], warnings: TranscriptWarning[]): void {
  let latest = 0;
  for (const { start, segment } of placed) {
    if (start < latest) warnings.push({ kind: 'order-changed', segment });
    latest = Math.max(latest, start);
  }
}

function warnOfOverlaps(cues: readonly Cue[], warnings: TranscriptWarning[]): void {
  let latest = 0;
  for (const { start, end, segment } of cues) {
    if (start < latest) warnings.push({ kind: 'overlap', segment });
    latest = Math.max(latest, end);
  }
}
