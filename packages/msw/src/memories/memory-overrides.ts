import type { MediaKind, MediaReference, MemoryRecord } from '@memory-read/contract';

/** Fields that replace those of a generated memory. An undefined field counts as absent. */
export type MemoryOverrides = {
  [Field in Exclude<keyof MemoryRecord, 'media'>]?: MemoryRecord[Field] | undefined;
} & {
  /** All media of the memory: those that you leave out do not exist. */
  media?: { [Kind in MediaKind]?: MediaOverride | undefined } | undefined;
};

/**
 * One recording of a memory: a media object, for which the mock computes a recording, or bytes of your own.
 *
 * Without `content_type`, bytes have the type of the generated media: `audio/wav`, `video/webm` or `image/png`.
 */
export type MediaOverride = MediaReference | MediaBytes | { content_type?: string | undefined; bytes: MediaBytes };

/**
 * Bytes of a file, or a function that returns all of them, or those of a range with both ends included.
 *
 * A function is called once at the change of the memory, for all bytes. It must always return the same ones.
 */
export type MediaBytes = Uint8Array | ((range?: { start: number; end: number }) => Uint8Array);

/** Returns the defined fields. */
export function withoutUndefined(overrides: MemoryOverrides): Overridden {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
}

/** Fields of overrides that are defined. */
export type Overridden = Omit<Partial<MemoryRecord>, 'media'> & Pick<MemoryOverrides, 'media'>;
