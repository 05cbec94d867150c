import { createHash } from 'node:crypto';

/** Maximum number of bytes of the name, so that all file systems accept the whole file name. */
const longestName = 100;
const digestLengths = [8, 12, 16, 24, 64];

/**
 * Returns a file name without its extension.
 *
 * It consists of the memory's name, in characters that every file system allows, and a digest of the id. The digest
 * distinguishes memories with the same name. While `isTaken` is true, a longer digest is used.
 */
export function fileStem(
  memory: { id: string; name: string },
  isTaken: (stem: string) => boolean = () => false,
): string {
  const digest = createHash('sha256').update(memory.id).digest('hex');
  const stems = digestLengths.map((length) => `${safeName(memory.name)} ${digest.slice(0, length)}`);
  return stems.find((stem) => !isTaken(stem)) ?? `${digest}`;
}

/** Returns the stem as file systems compare it that ignore case, normalization or invisible characters, such as HFS+. */
export function stemKey(stem: string): string {
  return stem
    .normalize('NFKC')
    .replace(/\p{DI}/gu, '')
    .toLowerCase();
}

/** Removes characters that are special in a file system or terminal. Emoji are kept. So are joiners and marks of direction: letters that
 * need them read differently without them, and every file system accepts them. */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/:(?= )/g, ' -')
    .replace(/[/\\<>:"|?*]/g, '-')
    .replace(/(?![\u200c-\u200f\u061c])\p{C}/gu, '')
    .replace(/^[\s.~-]+/, '');
  const short = cutToBytes(plain, longestName).replace(/[\s.]+$/, '');
  if (/^[\s\p{DI}]*$/u.test(short)) return 'Untitled';
  return isReserved(short) ? `_${short}` : short;
}

/** Returns whether Windows treats the name as a device, whatever its extension is. */
function isReserved(name: string): boolean {
  return /^(con|prn|aux|nul|com\d|lpt\d|com[¹²³]|lpt[¹²³]|conin\$|conout\$)\s*(\.|$)/i.test(name);
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

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
