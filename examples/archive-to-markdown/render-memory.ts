import type { Memory, Summary } from '@memory-read/client';
import { toMarkdown } from '@memory-read/client/transcript';

/** Returns the memory as a page of Markdown with links to its files. */
export function renderMemory(memory: Memory, media: readonly string[]): string {
  const { name, started_at, duration_seconds, summary } = memory;
  const files = [...media, 'captions.vtt'].map((file) => `[${file}](${file})`);
  const parts = [
    `# ${escapeMarkdown(name) || 'Untitled'}`,
    `Began ${escapeMarkdown(started_at)}, took ${duration_seconds} seconds`,
    files.join(', '),
    summary && renderSummary(summary),
    '## Transcript',
    toMarkdown(memory, { timestamps: true }).trimEnd() || 'Nothing was said.',
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function renderSummary({ quick_summary, key_takeaways }: Summary): string {
  const takeaways = key_takeaways.map((takeaway) => `- ${escapeMarkdown(takeaway)}`);
  return ['## Summary', escapeMarkdown(quick_summary), takeaways.join('\n')].filter(Boolean).join('\n\n');
}

/** Characters with a meaning anywhere in a line of Markdown, or only at its start. */
const special = /[\\`*_{}[\]<>#|~&$=^@]|:(?=\/\/)|(?<=www)\.|^[-+:]|(?<=^\d+)[.)]/gi;

/** Returns the text on one line, without Markdown. */
function escapeMarkdown(text: string): string {
  return text.trim().replace(/\s+/g, ' ').replace(special, '\\$&');
}
