import { parseDateTime } from '@memory-read/contract/date-time';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { escapeMarkdown } from '../output/escape-markdown.ts';
import { formatDateTime, formatLength } from '../terminal/format-date-time.ts';
import { quantity } from '../terminal/quantity.ts';
import { systemClock } from '../times/system-clock.ts';
import type { Digest, DigestMemory } from './digest.ts';

/**
 * Returns a digest as a page of Markdown, with a section for each day of the local time zone. Texts of memories are
 * escaped.
 */
export async function digestToMarkdown(digest: Digest, title: string): Promise<string> {
  const sections = [`# ${escapeMarkdown(title)}\n`, `${overview(digest)}\n`];
  let shownDay: string | undefined;
  for (const memory of digest.memories) {
    await yieldToEventLoop();
    const day = formatDay(memory.started_at);
    if (day !== shownDay) sections.push(`## ${day}\n`);
    shownDay = day;
    sections.push(...describe(memory));
  }
  return sections.join('\n');
}

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

function describe({ name, started_at, duration_seconds, is_processing, summary }: DigestMemory): string[] {
  const time = formatDateTime(started_at).slice('YYYY-MM-DD '.length);
  const heading = `### ${time} ${escapeMarkdown(name) || 'Untitled'} (${formatLength(duration_seconds)})\n`;
  if (summary === null) return [heading, is_processing ? '_Still processing._\n' : '_No summary._\n'];
  const takeaways = summary.key_takeaways.map((takeaway) => `- ${escapeMarkdown(takeaway)}\n`).join('');
  return [heading, `${escapeMarkdown(summary.quick_summary)}\n`, takeaways].filter(Boolean);
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
