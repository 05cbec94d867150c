import { parseDateTime } from '@memory-read/contract/date-time';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { escapeMarkdown } from '../output/escape-markdown.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { formatDateTime, formatLength } from '../terminal/format-date-time.ts';
import { indented, widthOfText } from '../terminal/indented.ts';
import { quantity } from '../terminal/quantity.ts';
import { style } from '../terminal/style.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { wrapText } from '../terminal/wrap-text.ts';
import { systemClock } from '../times/system-clock.ts';
import type { Digest, DigestMemory } from './digest.ts';

/** A part of a page: a heading, a text, or the takeaways of a memory. */
type Part =
  | { kind: 'title' | 'day' | 'range' | 'people' | 'state' | 'summary'; text: string }
  | { kind: 'memory'; time: string; name: string; length: string }
  | { kind: 'takeaways'; texts: readonly string[] };

/**
 * Returns a digest as a page of Markdown, with a section for each day of the local time zone. Texts of memories are
 * escaped.
 */
export async function digestToMarkdown(digest: Digest, title: string): Promise<string> {
  const parts: string[] = [];
  for await (const part of partsOf(digest, title)) parts.push(`${toMarkdown(part)}\n`);
  return parts.join('\n');
}

/** Returns a digest as text with the same sections, in the width and the colours of the terminal. */
export async function digestToText(process: CliProcess, digest: Digest, title: string): Promise<string> {
  const lines: string[] = [];
  for await (const part of partsOf(digest, title)) {
    if (part.kind === 'day' || part.kind === 'memory') lines.push('');
    lines.push(...toLines(process, part));
  }
  return `${lines.join('\n')}\n`;
}

async function* partsOf(digest: Digest, title: string): AsyncGenerator<Part> {
  yield { kind: 'title', text: title };
  yield { kind: 'range', text: overview(digest) };
  let shownDay: string | undefined;
  for (const memory of digest.memories) {
    await yieldToEventLoop();
    const day = formatDay(memory.started_at);
    if (day !== shownDay) yield { kind: 'day', text: day };
    shownDay = day;
    yield* partsOfMemory(memory);
  }
}

function* partsOfMemory({ name, started_at, duration_seconds, ...memory }: DigestMemory): Generator<Part> {
  const { people, is_processing, summary } = memory;
  const time = formatDateTime(started_at).slice('YYYY-MM-DD '.length);
  yield { kind: 'memory', time, name, length: formatLength(duration_seconds) };
  if (people) yield { kind: 'people', text: `With ${people.join(', ')}.` };
  if (summary === null) {
    yield { kind: 'state', text: is_processing ? 'Still processing.' : 'No summary.' };
    return;
  }
  yield { kind: 'summary', text: summary.quick_summary };
  if (summary.key_takeaways.length > 0) yield { kind: 'takeaways', texts: summary.key_takeaways };
}

function toMarkdown(part: Part): string {
  switch (part.kind) {
    case 'title':
      return `# ${escapeMarkdown(part.text)}`;
    case 'day':
      return `## ${part.text}`;
    case 'memory':
      return `### ${part.time} ${escapeMarkdown(part.name) || untitled} (${part.length})`;
    case 'state':
      return `_${part.text}_`;
    case 'people':
    case 'summary':
      return escapeMarkdown(part.text);
    case 'takeaways':
      return part.texts.map((text) => `- ${escapeMarkdown(text)}`).join('\n');
    default:
      return part.text;
  }
}

function toLines(process: CliProcess, part: Part): string[] {
  const width = widthOfText(process);
  switch (part.kind) {
    case 'title':
    case 'day':
      return wrapText(visibleLine(part.text), width).map((line) => style(process, 'bold', line));
    case 'memory': {
      const heading = `${visibleLine(part.name) || untitled} (${part.length})`;
      return indented(`${part.time}  `, heading, width).map((line) => style(process, 'cyan', line));
    }
    case 'takeaways':
      return part.texts.flatMap((text) => indented('  - ', text, width));
    case 'range':
      return indented('', part.text, width);
    default:
      return indented('  ', part.text, width);
  }
}

const untitled = 'Untitled';

function overview({ since, until, timeZone, memories }: Digest): string {
  const range = [since && `from ${formatDateTime(since)}`, until && `until ${formatDateTime(until)}`].filter(Boolean);
  const both = since && until && `${formatDateTime(since)} to ${formatDateTime(until)}`;
  const seconds = memories.reduce((sum, { duration_seconds }) => sum + duration_seconds, 0);
  const processing = memories.filter(({ is_processing }) => is_processing).length;
  const counts = [quantity(memories.length, 'memory', 'memories'), formatLength(seconds)];
  if (processing > 0) counts.push(`${processing} still processing`);
  const text = both || range[0] || 'all times';
  return `${text[0]?.toUpperCase()}${text.slice(1)} (${timeZone}): ${counts.join(', ')}.`;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Formats the local day, such as `Monday, 16 November 2026`. */
function formatDay(startedAt: string): string {
  const parts: Record<string, string> = {};
  const time = systemClock().clock.timeAt(parseDateTime(startedAt) ?? 0);
  for (const { type, value } of dayFormat.formatToParts(time)) parts[type] = value;
  return `${parts.weekday}, ${parts.day} ${parts.month} ${parts.year}`;
}
