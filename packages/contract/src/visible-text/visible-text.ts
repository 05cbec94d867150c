import { cutText } from './cut-text.ts';
import { isPrefix } from './is-inside-character.ts';
import { wellFormed } from './well-formed.ts';

const separators = /[\p{Cc}\u2028\u2029\ufff9-\ufffb]/gu;
// Joiners are checked last, when no other invisible character is between them and their neighbours.
const ignored = /(?!\p{Join_C})\p{DI}/gu;
const formats = /(?!\p{Join_C})\p{Cf}/gu;
// Unicode has no property for characters whose glyph is empty. A blank of Braille is a space between words.
const brailleBlank = /\u2800/g;
const empty = /[\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu;
// Scripts whose letters join, or stack below a virama.
const joining = [
  ...['Adlm', 'Arab', 'Mand', 'Mani', 'Mong', 'Nkoo', 'Phag', 'Phlp', 'Rohg', 'Sogd', 'Syrc'],
  ...['Bali', 'Beng', 'Brah', 'Cakm', 'Cham', 'Deva', 'Dogr', 'Gong', 'Gran', 'Gujr', 'Guru', 'Java', 'Khar', 'Khmr'],
  ...['Khoj', 'Knda', 'Kthi', 'Lana', 'Lepc', 'Limb', 'Mlym', 'Modi', 'Mtei', 'Mymr', 'Newa', 'Orya', 'Saur', 'Shrd'],
  ...['Sidd', 'Sind', 'Sinh', 'Sund', 'Sylo', 'Takr', 'Taml', 'Telu', 'Tibt', 'Tirh'],
].map((script) => `\\p{scx=${script}}`);
const joined = `(?=[\\p{L}\\p{M}])[${joining.join('')}]`;
const joiners = new RegExp(
  `((?<=${joined})\\p{Join_C}(?=${joined})|(?<=[\\p{ExtPict}\\p{EMod}])\\u200d(?=\\p{ExtPict}))|\\p{Join_C}+`,
  'gu',
);

/**
 * Returns the visible part of a text, on one line.
 *
 * Control characters and line separators become a space. Invisible characters are removed. Joiners stay in emoji, and
 * between letters of scripts that use them, such as Arabic and Devanagari. The text is normalized to NFC, and its white
 * space to single spaces. A second call changes nothing.
 *
 * @example
 * ```ts
 * console.log(visibleText('We ship\u202e\n on Friday, I think.', 20));
 * ```
 *
 * @param limit - Maximum length in UTF-16 units. A longer text is cut between characters and ends with `…`. Default: none.
 */
export function visibleText(text: string, limit: number = Number.POSITIVE_INFINITY): string {
  const visible = visibleForm(text, removeHidden);
  return visible.length <= limit ? visible : `${cutText(visible, limit - 1)}…`;
}

/** Returns a text on one line, in NFC, without what `remove` removes. */
export function visibleForm(text: string, remove: (separated: string) => string): string {
  const separated = wellFormed(text).replace(separators, ' ');
  return remove(separated).normalize('NFC').replace(/\s+/g, ' ').trim();
}

function removeHidden(text: string): string {
  return (
    text
      .replace(ignored, '')
      // Those that stay are signs above the number after them.
      .replace(formats, (format) => (isPrefix(format) ? format : ''))
      .replace(brailleBlank, ' ')
      .replace(empty, '')
      .replace(joiners, '$1')
  );
}
