import { cutText } from './cut-text.ts';
import { wellFormed } from './well-formed.ts';

const separators = /[\p{Cc}\u2028\u2029\ufff9-\ufffb]/gu;
// Joiners are checked last, when no other invisible character is between them and their neighbours.
const ignored = /(?![\u200c\u200d])\p{DI}/gu;
const joiners =
  /([\u200c\u200d](?=\p{L})(?<=\p{L}\p{M}*.)|\u200d(?=\p{ExtPict})(?<=[\p{ExtPict}\p{EMod}].))|[\u200c\u200d]+/gu;

/**
 * Returns the visible part of a text, on one line.
 *
 * Control characters and line separators become a space. Invisible characters are removed; joiners inside words and
 * emoji stay. The text is normalized to NFC, and its white space to single spaces. A second call changes nothing.
 *
 * @example
 * ```ts
 * console.log(visibleText('We ship\u202e\n on Friday, I think.', 20));
 * ```
 *
 * @param limit - Maximum length in UTF-16 units. A longer text is cut between characters and ends with `…`. Default: none.
 */
export function visibleText(text: string, limit: number = Number.POSITIVE_INFINITY): string {
  const visible = wellFormed(text)
    .replace(separators, ' ')
    .replace(ignored, '')
    .replace(joiners, '$1')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
  return visible.length <= limit ? visible : `${cutText(visible, limit - 1)}…`;
}
