import type { MediaKind, Memory } from '@memory-read/client';
import { speakers, toMarkdown } from '@memory-read/client/transcript';
import { parseDateTime } from '@memory-read/contract/date-time';
import { escapeControls, replaceControls } from '@memory-read/contract/redaction';
import type { LocalTime } from './local-time.ts';

/** Data that a page shows of a memory. */
export interface PageContent {
  memory: Memory;
  isMissing: boolean;
  /** Paths of the media, relative to the page. */
  media: { [Kind in MediaKind]?: string };
  /** Path of the captions, relative to the page. */
  captions: string | undefined;
}

const mediaNames: Record<MediaKind, string> = { audio: 'Audio', video: 'Video', preview_image: 'Preview' };

/** Returns the page of a memory: front matter, media, summary and transcript. Texts of the memory are escaped. */
export function toMarkdownPage(content: PageContent, toLocalTime: (instant: number) => LocalTime): string {
  const { memory, media, captions } = content;
  const { name, summary, transcript } = memory;
  const links = (Object.keys(mediaNames) as MediaKind[]).flatMap((kind) =>
    media[kind] === undefined ? [] : [`![${mediaNames[kind]}](${media[kind]})\n`],
  );
  const takeaways = summary?.key_takeaways.map((takeaway) => `- ${escaped(takeaway)}\n`).join('') ?? '';
  const sections = [
    frontMatter(content, toLocalTime),
    `# ${escaped(name) || 'Untitled'}\n`,
    ...links,
    captions && `[Captions](${captions})\n`,
    summary && `## Summary\n\n${escaped(summary.quick_summary)}\n`,
    takeaways && `## Key takeaways\n\n${takeaways}`,
    transcript && `## Transcript\n\n${toMarkdown(memory, { timestamps: true })}`,
  ];
  return sections.filter(Boolean).join('\n');
}

function frontMatter({ memory, isMissing }: PageContent, toLocalTime: (instant: number) => LocalTime): string {
  const localTime = (text: string) => {
    const instant = parseDateTime(text);
    if (instant === undefined) return text;
    const { date, time, offset } = toLocalTime(instant);
    return `${date}T${time}${offset}`;
  };
  const fields: Record<string, unknown> = {
    title: replaceControls(memory.name),
    date: localTime(memory.started_at),
    ended: localTime(memory.ended_at),
    duration: memory.duration_seconds,
    id: memory.id,
    missing: isMissing,
    ...(memory.is_processing && { processing: true }),
    speakers: speakers(memory).map(({ speaker }) => replaceControls(speaker)),
    tags: ['memory'],
  };
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${toYaml(value)}\n`);
  return `---\n${lines.join('')}---\n`;
}

/** JSON is valid YAML, except for characters that YAML requires to be escaped. With escapes, an id stays exact. */
function toYaml(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

/** Escapes a text on one line for Markdown, with the renderer of a turn without a speaker. */
function escaped(text: string): string {
  const segment = { speaker: '', start_at: origin, end_at: origin, text };
  return toMarkdown({ started_at: origin, transcript: { segments: [segment] } }, { speakerLabels: false }).trimEnd();
}

const origin = '1970-01-01T00:00:00Z';
