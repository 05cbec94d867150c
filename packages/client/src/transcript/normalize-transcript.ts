import type { Segment } from '@memory-read/contract';
import { parseDateTime } from '@memory-read/contract/date-time';
import { storedSegments } from './stored-segments.ts';
import type { TranscriptSource } from './transcript-source.ts';
import type { TranscriptWarning, TranscriptWarningKind } from './transcript-warning.ts';

/** A segment with the times that a player needs: whole milliseconds from the start of the recording. */
export interface Cue {
  /** Start in milliseconds, at least 0. */
  start: number;
  /** End in milliseconds, at least 1 ms after the start. */
  end: number;
  /** Speaker label as stored. */
  speaker: string;
  /** Text as stored, including line breaks and white space. */
  text: string;
  /** Index in `transcript.segments`. */
  segment: number;
}

/** Result of {@link normalizeTranscript}. */
export interface NormalizedTranscript {
  /** One cue for each segment, sorted by start. Cues with the same start keep the order of the segments. */
  cues: Cue[];
  /** Problems that were corrected, in the order of the segments. Empty for a valid transcript. */
  warnings: TranscriptWarning[];
}

/**
 * Returns every segment as a cue with times relative to `started_at`, and the problems that were corrected.
 *
 * No segment is dropped and no error is thrown:
 *
 * - A start before the recording becomes 0.
 * - A length of zero or less becomes 1 ms.
 * - A segment with an invalid start begins with the segment stored before it.
 * - A missing speaker or text becomes an empty text.
 * - A null transcript has no cues.
 *
 * All other functions of this entry use these cues. See sections 2.2 and 2.3 of the specification.
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
  const segments = readSegments(memory, warnings);
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

function readSegments(memory: TranscriptSource, warnings: TranscriptWarning[]): Segment[] {
  const read = storedSegments(memory);
  for (const [segment, texts] of read.entries()) {
    const stored = (memory.transcript?.segments[segment] ?? {}) as Segment;
    const isWhole = Object.entries(texts).every(([name, text]) => stored[name as keyof Segment] === text);
    if (!isWhole) warnings.push({ kind: 'segment-incomplete', segment });
  }
  return read;
}

/**
 * Returns the time that cues are relative to. If `started_at` is invalid, it is the earliest valid start of a segment.
 */
function beginningOf(startedAt: unknown, segments: readonly Segment[], warnings: TranscriptWarning[]): number {
  const beginning = typeof startedAt === 'string' ? parseDateTime(startedAt) : undefined;
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
