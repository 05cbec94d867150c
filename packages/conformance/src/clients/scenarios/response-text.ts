import type { StoredFields } from './scenario.ts';

/** Returns the JSON of a listed memory, in ASCII. */
export function listedJson(fields: StoredFields): string {
  const { id, name, started_at, ended_at } = fields;
  return asciiJson({
    id,
    name,
    started_at,
    ended_at,
    is_processing: false,
    user_id: 'usr_1',
    duration_seconds: 60,
    audio_url: null,
    video_url: null,
    preview_image_url: null,
    transcript: null,
    summary: { quick_summary: 'A short talk.', key_takeaways: [] },
  });
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the chunks of a body as they are sent. The last chunk follows. */
export function chunksOf(body: string, size: number): string[] {
  const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.slice(index * size, (index + 1) * size),
  );
  return [...pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`), '0\r\n\r\n'];
}
