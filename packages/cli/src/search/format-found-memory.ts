import type { MemoryHit } from '@memory-read/client/search';
import type { SearchHit } from '@memory-read/mirror';
import { escapeMarkdown } from '../output/escape-markdown.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { formatDateTime, formatLength } from '../terminal/format-date-time.ts';
import { style } from '../terminal/style.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import type { FoundMemory } from './search-mirror.ts';

/** Heading of the memories whose words are not in one text. */
const headings = { together: undefined, apart: 'Words in different places:', partial: 'Only some of the words:' };

export function toJsonResult({ memoryId, name, startedAt, match, missing, hits }: FoundMemory): object {
  const matches = hits.map(({ kind, snippet, speaker, person, offset, lacks }) => ({
    field: kind,
    text: snippet.text,
    ...(speaker !== null && { speaker }),
    ...(person && { person }),
    ...(offset !== null && { offset_seconds: offset / 1000 }),
    ...(lacks.length > 0 && { lacks }),
  }));
  const missingSince = hits[0]?.missingSince?.toISOString();
  return {
    memoryId,
    name,
    started_at: startedAt,
    ...(missingSince && { missing_since: missingSince }),
    match,
    ...(missing && { missing }),
    matches,
  };
}

/** Returns found memories as text, with the words that were found in colour if standard output has colours. */
export function toTextResults(process: CliProcess, found: readonly FoundMemory[]): string {
  return withHeadings(found, (memory) => `${toText(process, memory)}\n`, '');
}

export function toMarkdownResults(found: readonly FoundMemory[]): string {
  return withHeadings(found, toMarkdownResult, '\n');
}

function withHeadings(
  found: readonly FoundMemory[],
  format: (memory: FoundMemory) => string,
  separator: string,
): string {
  const parts = found.flatMap((memory, index) => {
    const heading = memory.match === found[index - 1]?.match ? undefined : headings[memory.match];
    return [...(heading === undefined ? [] : [`${heading}\n`]), format(memory)];
  });
  return parts.join(separator);
}

/** Returns a found memory as text: a heading, and a line for each hit except the name. */
function toText(process: CliProcess, { memoryId, name, startedAt, missing, hits }: FoundMemory): string {
  const found = hits.find(({ kind, snippet }) => kind === 'name' && snippet.text.length === name.length);
  const shown = marked(process, { text: name, highlights: found?.snippet.highlights ?? [] });
  const end = `  ${visibleLine(memoryId)}${isDeleted(hits) ? '  deleted at the source' : ''}`;
  const heading = `${formatDateTime(startedAt)}  ${shown}${end}`;
  const lines = hits
    .filter(({ kind }) => kind !== 'name')
    .map((hit) => `  ${visibleLine(labelOf(hit))}${marked(process, hit.snippet)}`);
  return [heading, ...linesOfMissing(missing).map((line) => `  ${visibleLine(line)}`), ...lines].join('\n');
}

/** Returns a snippet on one line. Each word is coloured alone, so that a line can end within a phrase. */
export function marked(process: CliProcess, { text, highlights }: MemoryHit['snippet']): string {
  let after = 0;
  const parts = highlights.map(([start, end]) => {
    const before = visibleLine(text.slice(after, start));
    after = end;
    const found = visibleLine(text.slice(start, end));
    return before + found.replace(/\S+/g, (word) => style(process, ['bold', 'yellow'], word));
  });
  return parts.join('') + visibleLine(text.slice(after));
}

function toMarkdownResult({ memoryId, name, startedAt, missing, hits }: FoundMemory): string {
  const heading = `## ${escapeMarkdown(`${formatDateTime(startedAt)} ${name}`)}`;
  const lines = [...linesOfMissing(missing), ...hits.filter(({ kind }) => kind !== 'name').map(textOfHit)].map(
    (line) => `- ${escapeMarkdown(line)}\n`,
  );
  const id = `${escapeMarkdown(memoryId)}${isDeleted(hits) ? ', deleted at the source' : ''}`;
  return [`${heading}\n`, `${id}\n`, lines.join('')].filter(Boolean).join('\n');
}

function linesOfMissing(missing: readonly string[] | undefined): string[] {
  return missing === undefined ? [] : [`Missing: ${missing.map((word) => JSON.stringify(word)).join(', ')}`];
}

function isDeleted([hit]: readonly SearchHit[]): boolean {
  return hit !== undefined && hit.missingSince !== null;
}

export function textOfHit(hit: MemoryHit): string {
  return labelOf(hit) + hit.snippet.text;
}

/** Returns what stands before the text of a hit. */
export function labelOf({ kind, speaker, person, offset }: MemoryHit): string {
  if (kind === 'summary') return 'Summary: ';
  if (kind === 'takeaway') return 'Takeaway: ';
  return `${formatLength(Math.floor((offset ?? 0) / 1000))} ${person ?? speaker}: `;
}
