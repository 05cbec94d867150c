import { createHash } from 'node:crypto';

/** Maximum number of bytes of the name, so that all file systems accept the whole file name. */
const LONGEST_NAME = 100;
const digestLengths = [4, 8, 12, 24, 64];

/**
 * Returns the name of a memory's page without its extension, such as `2026-11-19 Appointment with Dr. Ito f5c8`.
 *
 * The digits at the end are from the SHA-256 of the id. While `isTaken` returns true, digits are added.
 */
export function pageStem(
  memory: { id: string; name: string },
  date: string,
  isTaken: (stem: string) => boolean = () => false,
): string {
  const digest = createHash('sha256').update(memory.id).digest('hex');
  const stems = digestLengths.map((length) => `${date} ${safeName(memory.name)} ${digest.slice(0, length)}`);
  return stems.find((stem) => !isTaken(stem)) ?? digest;
}

/** Returns the stem as file systems compare it that ignore case, normalization or invisible characters, such as HFS+. */
export function stemKey(stem: string): string {
  return stem
    .normalize('NFKC')
    .replace(/\p{DI}/gu, '')
    .toLowerCase();
}

/** Removes characters that are special in a file system, a terminal or a link of Obsidian. Emoji are kept. So are joiners and marks of direction:
 * letters that need them read differently without them, and every file system accepts them. */
function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/:(?= )/g, ' -')
    .replace(/[/\\<>:"|?*#^[\]]/g, '-')
    .replace(/(?![\u200c-\u200f\u061c])\p{C}/gu, '')
    .replace(/^[\s.~-]+/, '');
  return (
    cutToBytes(plain, LONGEST_NAME)
      .replace(/[\s.]+$/, '')
      .replace(/^[\s\p{DI}]+$/u, '') || 'Untitled'
  );
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function cutToBytes(text: string, longest: number): string {
  let bytes = 0;
  let end = 0;
  for (const { segment } of graphemes.segment(text.slice(0, longest + 1))) {
    bytes += Buffer.byteLength(segment);
    if (bytes > longest) break;
    end += segment.length;
  }
  return text.slice(0, end);
}
