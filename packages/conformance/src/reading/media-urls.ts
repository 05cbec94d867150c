import { SkippedError } from '../session/unanswered.ts';
import type { Reader, ReadMemory } from './create-reader.ts';
import { type MediaField, mediaFields } from './media-fields.ts';

/** A media URL, and its memory. */
export interface MediaUrl {
  at: ReadMemory;
  field: MediaField;
  url: string;
}

/**
 * Returns the newest media URL that can be requested, because it expires last.
 *
 * @throws SkippedError if no memory has such a URL.
 */
export async function anyMedia(reader: Reader, only?: MediaField): Promise<MediaUrl> {
  const urls = mediaUrls([...(await reader.memories())].reverse());
  const found = urls.find(({ field, url }) => (only === undefined || field === only) && /^https?:/.test(url));
  if (found === undefined) throw new SkippedError(`no memory that was read has ${only ?? 'a media URL'}`);
  return found;
}

/** Returns every media URL of the memories. */
export function mediaUrls(memories: readonly ReadMemory[]): MediaUrl[] {
  return memories.flatMap((at) =>
    mediaFields.flatMap((field) => {
      const url = at.memory[field];
      return typeof url === 'string' && URL.canParse(url) ? [{ at, field, url }] : [];
    }),
  );
}
