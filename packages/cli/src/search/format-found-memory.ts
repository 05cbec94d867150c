import type { SearchHit } from '@memory-read/mirror';
import { escapeMarkdown } from '../output/escape-markdown.ts';
import { formatDateTime, formatLength } from '../terminal/format-date-time.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import type { FoundMemory } from './search-mirror.ts';

/** Heading of the memories whose words are not in one text. */
const headings = { together: undefined, apart: 'Words in different places:', partial: 'Only some of the words:' };

/** Returns a found memory as a value of JSON. */
export function toJsonResult({ memoryId, name, startedAt, match, missing, hits }: FoundMemory): object {
  const matches = hits.map(({ kind, snippet, speaker, offset, lacks }) => ({
    field: kind,
    text: snippet.text,
    ...(speaker !== null && { speaker }),
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

/** Returns found memories as text. */
export function toTextResults(found: readonly FoundMemory[]): string {
  return withHeadings(found, (memory) => `${toText(memory)}\n`, '');
}

/** Returns found memories as Markdown. */
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
function toText({ memoryId, name, startedAt, missing, hits }: FoundMemory): string {
  const heading = `${formatDateTime(startedAt)}  ${name}  ${memoryId}${isDeleted(hits) ? '  deleted at the source' : ''}`;
  const lines = hits.filter(({ kind }) => kind !== 'name').map((hit) => `  ${lineOf(hit)}`);
  return [heading, ...linesOfMissing(missing).map((line) => `  ${line}`), ...lines].map(visibleLine).join('\n');
}

/** Returns a found memory as a section of Markdown. */
function toMarkdownResult({ memoryId, name, startedAt, missing, hits }: FoundMemory): string {
  const heading = `## ${escapeMarkdown(`${formatDateTime(startedAt)} ${name}`)}`;
  const lines = [...linesOfMissing(missing), ...hits.filter(({ kind }) => kind !== 'name').map(lineOf)].map(
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

function lineOf({ kind, speaker, offset, snippet }: SearchHit): string {
  if (kind === 'summary') return `Summary: ${snippet.text}`;
  if (kind === 'takeaway') return `Takeaway: ${snippet.text}`;
  return `${formatLength(Math.floor((offset ?? 0) / 1000))} ${speaker}: ${snippet.text}`;
}
