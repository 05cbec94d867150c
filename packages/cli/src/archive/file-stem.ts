import { createHash } from 'node:crypto';

/** Bytes of the part that comes from a name: with all that follows, even the strictest file systems take the whole. */
const longestName = 100;
const digestLengths = [8, 12, 16, 24, 64];

/**
 * A file name without its extension: the memory's name, as far as every file system takes it, and a digest of the id,
 * which tells memories of one name apart. It is as long as it has to be, so that `isTaken` refuses it no more.
 */
export function fileStem(
  memory: { id: string; name: string },
  isTaken: (stem: string) => boolean = () => false,
): string {
  const digest = createHash('sha256').update(memory.id).digest('hex');
  const stems = digestLengths.map((length) => `${safeName(memory.name)} ${digest.slice(0, length)}`);
  return stems.find((stem) => !isTaken(stem)) ?? `${digest}`;
}

/** How a stem compares on file systems that know neither case nor the ways to write a character. */
export function stemKey(stem: string): string {
  return stem.normalize('NFKC').toLowerCase();
}

/** The name without what some file system or terminal takes for something else; emoji stay whole. */
function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/:(?= )/g, ' -')
    .replace(/[/\\<>:"|?*]/g, '-')
    .replace(/(?![\u200c\u200d])\p{C}/gu, '')
    .replace(/^[\s.~-]+/, '');
  const short = cutToBytes(plain, longestName).replace(/[\s.]+$/, '');
  if (short === '') return 'Untitled';
  return isReserved(short) ? `_${short}` : short;
}

/** What Windows takes for a device, whatever follows the first point. */
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
