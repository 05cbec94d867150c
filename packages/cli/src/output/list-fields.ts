import type { ListedMemory, MediaKind, Memory } from '@memory-read/client';
import { mediaKinds } from '@memory-read/contract/fields';
import { usageError } from '../terminal/command-error.ts';

const fieldsOfApi = [
  ...(['id', 'name', 'started_at', 'ended_at', 'duration_seconds', 'is_processing', 'user_id'] as const),
  ...(['audio_url', 'video_url', 'preview_image_url', 'summary'] as const),
];
const names = [...fieldsOfApi, 'status', 'media'] as const;

/** A field that `list` can print. */
export type ListField = (typeof names)[number];

export function fieldOf(memory: ListedMemory, field: ListField): unknown {
  if (field === 'status') return statusOf(memory);
  return field === 'media' ? mediaOf(memory) : memory[field];
}

/** Returns the kinds of the media that a memory has. */
export function mediaOf(memory: ListedMemory | Memory): MediaKind[] {
  return mediaKinds.filter((kind) => memory[`${kind}_url`] !== null);
}

export function statusOf({ is_processing }: ListedMemory): 'processing' | 'processed' {
  return is_processing ? 'processing' : 'processed';
}

/** Parses `--fields`: names with commas between them. A name that is given twice counts once. */
export function parseListFields(text: string): ListField[] {
  const given = text.split(',').map((name) => name.trim());
  const unknown = given.find((name) => !names.includes(name as ListField));
  if (unknown === undefined) return [...new Set(given as ListField[])];
  throw usageError(
    `--fields: ${JSON.stringify(unknown)} is not a field. Pass names from this list: ${names.join(', ')}.`,
  );
}

/** Returns an object with these fields of a memory, in this order. */
export function pickListFields(
  memory: ListedMemory,
  fields: readonly ListField[],
): Partial<Record<ListField, unknown>> {
  return Object.fromEntries(fields.map((field) => [field, fieldOf(memory, field)]));
}
