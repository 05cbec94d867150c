import { displayWidth, graphemesOf } from './fit-text.ts';

/** Characters of scripts without spaces between words. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Java}\p{scx=Bali}\uff01-\uff65]/u;
const words = new Intl.Segmenter('en', { granularity: 'word' });
/** A line does not begin with a mark, and does not end with an opening bracket. */
const staysWithTheNext = /[\p{Ps}\p{Pi}]$/u;
const beginsLine = /^[\p{L}\p{N}\p{Ps}\p{Pi}\p{ExtPict}]/u;

/**
 * Wraps a text between words to lines of the given width. A longer word gets a line of its own. In scripts without
 * spaces, words are those of `Intl.Segmenter`.
 */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current: string | undefined;
  let left = width;
  for (const [index, word] of line.split(' ').entries()) {
    const isWide = displayWidth(word) > width;
    for (const [place, part] of (isWide && unspaced.test(word) ? partsOf(word, width) : [word]).entries()) {
      const gap = index > 0 && place === 0 ? ' ' : '';
      const needed = displayWidth(gap + part);
      if (current === undefined || needed > left) {
        if (current !== undefined) lines.push(current);
        current = part;
        left = width - displayWidth(part);
      } else {
        current += gap + part;
        left -= needed;
      }
    }
  }
  return [...lines, current ?? ''];
}

function partsOf(word: string, width: number): string[] {
  const parts: string[] = [];
  for (const { segment } of words.segment(word)) {
    const before = parts.at(-1);
    if (before === undefined || (beginsLine.test(segment) && !staysWithTheNext.test(before))) parts.push(segment);
    else parts[parts.length - 1] = before + segment;
  }
  return parts.flatMap((part) => (displayWidth(part) > width ? graphemesOf(part) : [part]));
}
