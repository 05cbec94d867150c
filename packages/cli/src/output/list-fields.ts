import type { ListedMemory } from '@memory-read/client';
import { usageError } from '../terminal/command-error.ts';

const mediaFields = { audio: 'audio_url', video: 'video_url', preview_image: 'preview_image_url' } as const;

/** Fields that `list` can print, in the order of messages. */
export const listFields = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  started_at: ({ started_at }) => started_at,
  ended_at: ({ ended_at }) => ended_at,
  duration_seconds: ({ duration_seconds }) => duration_seconds,
  is_processing: ({ is_processing }) => is_processing,
  user_id: ({ user_id }) => user_id,
  audio_url: ({ audio_url }) => audio_url,
  video_url: ({ video_url }) => video_url,
  preview_image_url: ({ preview_image_url }) => preview_image_url,
  summary: ({ summary }) => summary,
  status: statusOf,
  media: (memory) => Object.entries(mediaFields).flatMap(([kind, field]) => (memory[field] === null ? [] : [kind])),
} as const satisfies Record<string, (memory: ListedMemory) => unknown>;

export type ListField = keyof typeof listFields;

export function statusOf({ is_processing }: ListedMemory): 'processing' | 'processed' {
  return is_processing ? 'processing' : 'processed';
}

/** Parses `--fields`: names with commas between them. A name that is given twice counts once. */
export function parseListFields(text: string): ListField[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !Object.hasOwn(listFields, name));
  if (unknown === undefined) return [...new Set(names as ListField[])];
  throw usageError(
    `--fields: ${JSON.stringify(unknown)} is not a field. Pass names from this list: ${Object.keys(listFields).join(', ')}.`,
  );
}

/** Returns an object with these fields of a memory, in this order. */
export function pickListFields(
  memory: ListedMemory,
  fields: readonly ListField[],
): Partial<Record<ListField, unknown>> {
  return Object.fromEntries(fields.map((field) => [field, listFields[field](memory)]));
}
