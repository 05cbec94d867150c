import type { ListedMemory } from '@memory-read/contract';
import { digest } from './digest.ts';

/**
 * What is remembered of a memory: whether the end of its processing was told, and a part for each field that is compared.
 *
 * No text and no URL can be read out of it. Media URLs count only as there or not: they are new in each response.
 */
export type Fingerprint = string;

/** What stays of a memory that is missing. */
export const gone: Fingerprint = '-';

export const fingerprintPattern = /^(?:-|[01](?: [\da-z]+){9})$/;

const digestFields = ['name', 'started_at', 'ended_at', 'duration_seconds', 'summary'] as const;
const flagFields = ['is_processing', 'audio_url', 'video_url', 'preview_image_url'] as const;

export function createFingerprint(memory: ListedMemory, isTold: boolean): Fingerprint {
  const digests = digestFields.map((field) => digest(textOf(memory[field])));
  const flags = flagFields.map((field) => Number(Boolean(memory[field])));
  return [Number(isTold), ...digests, ...flags].join(' ');
}

/** Whether the end of processing was told: it is told once in the life of a memory. */
export function isTold(fingerprint: Fingerprint): boolean {
  return fingerprint === gone || fingerprint.startsWith('1');
}

/** The fingerprint of the same memory, once the end of its processing was told. */
export function asTold(fingerprint: Fingerprint): Fingerprint {
  return `1${fingerprint.slice(1)}`;
}

/** The fields in which two fingerprints of one memory differ. */
export function changedFields(before: Fingerprint, after: Fingerprint): string[] {
  if (before === after) return [];
  const [, ...partsBefore] = before.split(' ');
  const [, ...partsAfter] = after.split(' ');
  return [...digestFields, ...flagFields].filter((_field, index) => partsBefore[index] !== partsAfter[index]);
}

/** A summary is compared by what the specification knows of it, whatever the order of its fields. */
function textOf(value: ListedMemory[(typeof digestFields)[number]]): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  return JSON.stringify([value.quick_summary, value.key_takeaways]);
}
