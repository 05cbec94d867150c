import type { MediaKind, Memory } from '@memory-read/client';
import { renameSpeakers, speakers } from '@memory-read/client/transcript';
import { parseDateTime } from '@memory-read/contract/date-time';
import { replaceControls } from '@memory-read/contract/redaction';
import { escaped, markdownOf } from '../documents/markdown-of.ts';
import type { LocalTime } from './local-time.ts';

/** Data that a page shows of a memory. */
export interface PageContent {
  memory: Memory;
  isMissing: boolean;
  /** Paths of the media, relative to the page. */
  media: { [Kind in MediaKind]?: string };
  /** Path of the captions, relative to the page. */
  captions: string | undefined;
  /** Names of the speakers by label. */
  names: Readonly<Record<string, string>>;
  /** Returns the path of the page of a person, relative to the page. */
  pathOf(name: string): string;
}

const mediaNames: Record<MediaKind, string> = { audio: 'Audio', video: 'Video', preview_image: 'Preview' };

/** Returns the page of a memory: front matter, media, summary and transcript. Texts of the memory are escaped. */
export function toMarkdownPage(
  { memory, isMissing, media, captions, names, pathOf }: PageContent,
  toLocalTime: (instant: number) => LocalTime,
): string {
  const localTime = (text: string) => {
    const instant = parseDateTime(text);
    if (instant === undefined) return text;
    const { date, time, offset } = toLocalTime(instant);
    return `${date}T${time}${offset}`;
  };
  const labels = speakers(memory).map(({ speaker }) => speaker);
  const people = [...new Set(labels.flatMap((label) => names[label] ?? []))];
  const fields = {
    title: replaceControls(memory.name),
    date: localTime(memory.started_at),
    ended: localTime(memory.ended_at),
    duration: memory.duration_seconds,
    id: memory.id,
    missing: isMissing,
    ...(memory.is_processing && { processing: true }),
    speakers: labels.map(replaceControls),
    ...(people.length > 0 && { people: people.map(replaceControls) }),
    tags: ['memory'],
  };
  const profiles = people.map((name) => `[${escaped(name)}](${pathOf(name)})`);
  const links = profiles.length === 0 ? [] : [`People: ${profiles.join(', ')}\n`];
  const recordings = (Object.keys(mediaNames) as MediaKind[]).flatMap((kind) =>
    media[kind] === undefined ? [] : [`![${mediaNames[kind]}](${media[kind]})\n`],
  );
  const subtitles = captions === undefined ? [] : [`[Captions](${captions})\n`];
  return markdownOf(renameSpeakers(memory, names), fields, [...links, ...recordings, ...subtitles]);
}
