import { SkippedError } from '../session/unanswered.ts';
import type { Reader, ReadMemory } from './create-reader.ts';

/** The fields of a memory that hold a media URL. */
export const mediaFields = ['audio_url', 'video_url', 'preview_image_url'] as const;
/** The field of a memory that holds one. */
export type MediaField = (typeof mediaFields)[number];

/** A media URL, and the memory that it is of. */
export interface MediaUrl {
  at: ReadMemory;
  field: MediaField;
  url: string;
}

/**
 * One that can be followed, the youngest: it is the least likely to expire while it is used.
 *
 * @throws SkippedError when there is none.
 */
export async function anyMedia(reader: Reader, only?: MediaField): Promise<MediaUrl> {
  const urls = mediaUrls([...(await reader.memories())].reverse());
  const found = urls.find(({ field, url }) => (only === undefined || field === only) && /^https?:/.test(url));
  if (found === undefined) throw new SkippedError(`no memory that was read has ${only ?? 'a media URL'}`);
  return found;
}

/** Every media URL of some memories. */
export function mediaUrls(memories: readonly ReadMemory[]): MediaUrl[] {
  return memories.flatMap((at) =>
    mediaFields.flatMap((field) => {
      const url = at.memory[field];
      return typeof url === 'string' && URL.canParse(url) ? [{ at, field, url }] : [];
    }),
  );
}
