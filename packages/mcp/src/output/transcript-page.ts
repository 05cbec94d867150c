import { normalizeTranscript, storedSegments } from '@memory-read/client/transcript';
import { cutText, visibleText } from '@memory-read/contract/visible-text';
import type { NamedMemory } from '../sources/memory-source.ts';
import { jsonLength } from './json-length.ts';
import { shownLabel, shownName } from './shown-text.ts';

/** Maximum characters of transcript on a page, as JSON. */
const PAGE = 12_000;
/** Minimum characters of a part of a segment. If less room is left, the segment starts on the next page. */
const SHORTEST_PART = 200;

/** Start of a page: a segment, and the length of its visible text on earlier pages. */
export interface PageStart {
  segment: number;
  offset: number;
}

/** A page of a transcript. */
export interface TranscriptPage {
  lines: string[];
  /** First and last segment of the page; null for a transcript without segments. */
  segments: [number, number] | null;
  next: PageStart | undefined;
}

/** Returns the lines of a page. A segment that does not fit continues on the next page. */
export function transcriptPage({ memory, names }: NamedMemory, { segment: first, offset }: PageStart): TranscriptPage {
  const segments = storedSegments(memory);
  const starts: number[] = [];
  for (const { segment, start } of normalizeTranscript(memory).cues) starts[segment] = start;
  const lines: string[] = [];
  let left = PAGE;
  let from = offset;
  for (let index = first; index < segments.length; index += 1) {
    const speaker = shownSpeaker(segments[index]?.speaker ?? '', names);
    const text = visibleText(segments[index]?.text ?? '').slice(from);
    const head = `[${index}] ${toClock(starts[index] ?? 0)} ${speaker}: `;
    const line = `${head}${text}`;
    // The two quotation marks of the JSON are not in the page. They count for the line break, which is two characters
    // of JSON.
    const length = jsonLength(line);
    if (length <= left) {
      lines.push(line);
      left -= length;
      from = 0;
      continue;
    }
    const isFirst = lines.length === 0;
    const room = Math.floor((left - jsonLength(head)) / 2);
    if (!isFirst && room < SHORTEST_PART) return pageOf(lines, first, index - 1, { segment: index, offset: from });
    const part = cutText(text, room) || text.slice(0, room).replace(/[\ud800-\udbff]$/, '');
    lines.push(`${head}${part}…`);
    return pageOf(lines, first, index, { segment: index, offset: from + part.length });
  }
  return pageOf(lines, first, segments.length - 1, undefined);
}

/** Returns a label, after the name of the speaker if there is one. */
function shownSpeaker(label: string, names: NamedMemory['names']): string {
  const name = names?.get(label);
  return name === undefined ? shownLabel(label) : `${shownName(name)} (${shownLabel(label)})`;
}

function pageOf(lines: string[], first: number, last: number, next: PageStart | undefined): TranscriptPage {
  return { lines, segments: lines.length === 0 ? null : [first, last], next };
}

/** Returns a time as `hh:mm:ss`. */
function toClock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
