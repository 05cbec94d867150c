import { type MediaKind, mediaKinds } from '@memory-read/contract/fields';

export type MediaField = `${MediaKind}_url`;

/** The fields of a memory that hold a media URL. */
export const mediaFields: readonly MediaField[] = mediaKinds.map((kind) => `${kind}_url` as const);
