import type { Memory } from '@memory-read/client';

/**
 * The memory as the API has it, but for what is a secret of an hour: the signed URLs, and the query of any URL in a field
 * that is not known yet, which may be a signature.
 */
export function toJsonDocument(memory: Memory): string {
  const { audio_url, video_url, preview_image_url, ...kept } = memory;
  return `${JSON.stringify(withoutQueries(kept, true), null, 2)}\n`;
}

/** Texts of known fields are what people say and write, URLs too. */
function withoutQueries(value: unknown, isKnown: boolean): unknown {
  if (typeof value === 'string') return isKnown ? value : value.replace(urlWithQuery, '$1');
  if (Array.isArray(value)) return value.map((item) => withoutQueries(item, isKnown));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => {
    return [name, withoutQueries(field, isKnown && knownFields.has(name))];
  });
  return Object.fromEntries(entries);
}

const urlWithQuery = /(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi;

/** Of memories, transcripts, segments and summaries. */
const knownFields: ReadonlySet<string> = new Set(
  `id name started_at ended_at is_processing user_id duration_seconds transcript summary segments speaker start_at end_at
   text quick_summary key_takeaways`.split(/\s+/),
);
