import type { MediaKind } from '@memory-read/client';
import { type TextFormat, textFormats } from './text-formats.ts';

/** A part of a memory that an archive can hold. Each part is one file. */
export type ArchivePart = TextFormat | MediaKind;

export function isTextFormat(part: ArchivePart): part is TextFormat {
  return Object.hasOwn(textFormats, part);
}

export function isMediaKind(part: ArchivePart): part is MediaKind {
  return !isTextFormat(part);
}
