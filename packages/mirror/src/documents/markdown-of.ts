import type { Memory } from '@memory-read/client';
import { toMarkdown } from '@memory-read/client/transcript';
import { escapeControls } from '@memory-read/contract/redaction';

/** Returns a memory as Markdown: the fields as front matter, links, summary and transcript. Texts of the memory are escaped. */
export function markdownOf(
  memory: Pick<Memory, 'name' | 'started_at' | 'summary' | 'transcript'>,
  fields: Readonly<Record<string, unknown>>,
  links: readonly string[] = [],
): string {
  const { name, summary, transcript } = memory;
  const matter = Object.entries(fields).map(([field, value]) => `${field}: ${toYaml(value)}\n`);
  const takeaways = summary?.key_takeaways.map((takeaway) => `- ${escaped(takeaway)}\n`).join('') ?? '';
  const sections = [
    `---\n${matter.join('')}---\n`,
    `# ${escaped(name) || 'Untitled'}\n`,
    ...links,
    summary && `## Summary\n\n${escaped(summary.quick_summary)}\n`,
    takeaways && `## Key takeaways\n\n${takeaways}`,
    transcript && `## Transcript\n\n${toMarkdown(memory, { timestamps: true })}`,
  ];
  return sections.filter(Boolean).join('\n');
}

/** JSON is valid YAML, except for characters that YAML requires to be escaped. With escapes, an id stays exact. */
function toYaml(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

/** Escapes a text on one line for Markdown, with the renderer of a turn without a speaker. */
export function escaped(text: string): string {
  const segment = { speaker: '', start_at: origin, end_at: origin, text };
  return toMarkdown({ started_at: origin, transcript: { segments: [segment] } }, { speakerLabels: false }).trimEnd();
}

const origin = '1970-01-01T00:00:00Z';
