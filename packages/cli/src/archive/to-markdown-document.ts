import type { Memory } from '@memory-read/client';
import { speakers, toMarkdown } from '@memory-read/client/transcript';
import { escapeControls, replaceControls } from '@memory-read/contract/redaction';
import { markdownLine } from '../output/escape-markdown.ts';

/** Returns the memory as Markdown: front matter, summary and transcript. */
export function toMarkdownDocument(memory: Memory): string {
  const { name, summary, transcript } = memory;
  const takeaways = summary?.key_takeaways.map((takeaway) => `- ${markdownLine(takeaway)}\n`).join('') ?? '';
  const sections = [
    frontMatter(memory),
    `# ${markdownLine(name) || 'Untitled'}\n`,
    summary && `## Summary\n\n${markdownLine(summary.quick_summary)}\n`,
    takeaways && `## Key takeaways\n\n${takeaways}`,
    transcript && `## Transcript\n\n${toMarkdown(memory, { timestamps: true })}`,
  ];
  return sections.filter(Boolean).join('\n');
}

function frontMatter(memory: Memory): string {
  const fields: Record<string, unknown> = {
    title: replaceControls(memory.name),
    date: memory.started_at,
    end: memory.ended_at,
    duration_seconds: memory.duration_seconds,
    id: memory.id,
    processing: memory.is_processing,
    speakers: speakers(memory).map(({ speaker }) => replaceControls(speaker)),
  };
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${toYaml(value)}\n`);
  return `---\n${lines.join('')}---\n`;
}

/**
 * JSON is valid YAML, except for characters that YAML requires to be escaped. With escapes, an id stays exact.
 */
function toYaml(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}
