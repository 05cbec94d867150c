import type { Memory } from '@memory-read/client';
import type { MemoryHit } from '@memory-read/client/search';
import { type Turn, turns } from '@memory-read/client/transcript';
import { mediaOf } from '../output/list-fields.ts';
import { labelOf, marked } from '../search/format-found-memory.ts';
import type { CliProcess } from './cli-process.ts';
import { formatDateTime, formatLength } from './format-date-time.ts';
import { indented, widthOfText } from './indented.ts';
import { style } from './style.ts';
import { visibleLine } from './visible-text.ts';
import { wrapText } from './wrap-text.ts';

const mostPlaces = 3;

interface Found {
  hits: readonly MemoryHit[];
  /** Paths of saved media. */
  files: readonly string[];
}

type Format = Parameters<typeof style>[1];

/**
 * Formats a memory for a terminal: its fields, its summary and its transcript.
 *
 * @param found Places of the words that the memory was found by, and its media files.
 * @returns The text in two parts. The second one begins at the first place in the transcript; it is empty without one.
 */
export function formatMemory(process: CliProcess, memory: Memory, found: Partial<Found> = {}): [string, string] {
  const { hits = [], files = [] } = found;
  const width = widthOfText(process);
  const spoken = turns(memory);
  const { offset } = hits.find(({ kind }) => kind === 'transcript') ?? {};
  const at = offset == null ? spoken.length : spoken.findLastIndex(({ start }) => start <= offset);
  const before = linesOf(process, spoken.slice(0, at), width);
  const beginning = [...(spoken.length > 0 ? [style(process, 'bold', 'Transcript')] : []), ...before];
  const sections = [head(process, memory, { hits, files }), summary(process, memory, width), beginning.join('\n')];
  const turn = linesOf(process, spoken.slice(at, at + 1), width, ['bold', 'yellow']);
  return [
    sections.filter((lines) => lines.length > 0).join('\n\n'),
    [...turn, ...linesOf(process, spoken.slice(at + 1), width)].join('\n'),
  ];
}

function head(process: CliProcess, memory: Memory, { hits, files }: Found): string {
  const { id, name, started_at, duration_seconds, is_processing } = memory;
  const media = mediaOf(memory).map((kind) => kind.replaceAll('_', ' '));
  const rows = [
    ['ID', id],
    ['Started', formatDateTime(started_at)],
    ['Length', formatLength(duration_seconds)],
    ...(is_processing ? [['Status', 'processing']] : []),
    ...(files.length > 0 ? [] : [['Media', media.join(', ') || 'none']]),
    ...files.map((path, index) => [index === 0 ? 'Media' : '', path]),
  ];
  const lines = rows.map(([label = '', value = '']) => `${label.padEnd(9)}${visibleLine(value)}`);
  const places = hits
    .filter(({ kind }) => kind === 'transcript')
    .slice(0, mostPlaces)
    .flatMap((hit) => wrapText(visibleLine(labelOf(hit)) + marked(process, hit.snippet), widthOfText(process) - 9))
    .map((line, index) => `${(index === 0 ? 'Found' : '').padEnd(9)}${line}`);
  return [style(process, 'bold', visibleLine(name)), ...lines, ...places].join('\n');
}

function summary(process: CliProcess, { summary: found }: Memory, width: number): string {
  if (found === null) return '';
  const takeaways = found.key_takeaways.flatMap((takeaway) => indented('- ', takeaway, width));
  return [style(process, 'bold', 'Summary'), ...indented('', found.quick_summary, width), ...takeaways].join('\n');
}

function linesOf(process: CliProcess, spoken: readonly Turn[], width: number, format: Format = 'cyan'): string[] {
  return spoken.flatMap(({ speaker, start, text }) => [
    style(process, format, `${formatLength(Math.floor(start / 1000))}  ${visibleLine(speaker)}`),
    ...indented('  ', text, width),
  ]);
}
