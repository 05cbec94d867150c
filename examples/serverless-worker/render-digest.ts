import type { ListedMemory } from '@memory-read/client';

const WEEK = 7 * 24 * 60 * 60_000;

/** What was recorded in the last seven days, newest first, as plain text: a list has the summaries already. */
export function renderDigest(memories: readonly ListedMemory[], now: Date): string {
  const recent = memories.filter(({ started_at }) => Date.parse(started_at) > now.getTime() - WEEK);
  const count = recent.length === 1 ? '1 memory' : `${recent.length} memories`;
  return [`The last seven days: ${count}\n`, ...recent.map(renderMemory)].join('\n');
}

function renderMemory({ name, started_at, duration_seconds, is_processing, summary }: ListedMemory): string {
  const minutes = Math.round(duration_seconds / 60);
  const missing = is_processing ? 'Still being processed.' : 'Nothing to sum up.';
  const lines = [
    `${onOneLine(name)} (${started_at.slice(0, 16).replace('T', ' ')}, ${minutes} min)`,
    `  ${onOneLine(summary?.quick_summary ?? missing)}`,
    ...(summary?.key_takeaways ?? []).map((takeaway) => `  - ${onOneLine(takeaway)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Else a name with line breaks could pass for another memory. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
