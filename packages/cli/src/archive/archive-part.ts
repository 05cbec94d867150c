import type { MediaKind } from '@memory-read/client';
import { type TextFormat, textFormats } from './text-formats.ts';

/** What an archive can hold of a memory, each in one file. */
export type ArchivePart = TextFormat | MediaKind;

export function isTextFormat(part: ArchivePart): part is TextFormat {
  return Object.hasOwn(textFormats, part);
}

export function isMediaKind(part: ArchivePart): part is MediaKind {
  return !isTextFormat(part);
}
