import { unspaced } from '../transcript/scripts.ts';

const LONGEST_WORD = 64;
const MOST_KNOWN = 50_000;

const asciiWord = /[\dA-Za-z]+/y;
// Matches a character with its marks, a syllable of single jamo, or narrow kana with its voicing mark.
const cluster =
  /(?:[\u1100-\u115f]+[\u1160-\u11a7]*|[\uac00-\ud7a3])[\u11a8-\u11ff]*\p{M}*|.[\uff9e\uff9f\p{M}\p{DI}]*/suy;
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;
const anyPart = new RegExp(`(?=[\\p{L}\\p{M}\\p{N}])(?:${unspaced.source}|\\p{sc=Hangul})`, 'u');
// Accents of Latin, Greek and Cyrillic, vowel signs of Arabic and Hebrew, and the Arabic tatweel. Vowel signs of other
// scripts are letters, and so are the voicing marks of kana.
const accents =
  /(?![\u3099\u309a])\p{sc=Inherited}|(?=[\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}])\p{Mn}|[\u0640\p{DI}]/gu;

/** Letters that no normalization separates from their stroke or hook, and ligatures, each before its replacement. */
const letters = new Map(
  'æae œoe þth ⱥa ƀb ɓb ȼc đd ðd ɖd ɗd ɇe ǥg ɠg ħh ıi ɨi ɉj ƙk łl ƚl ɫl ŋn ɲn øo ɵo ɍr ŧt ⱦt ƭt ʉu ɏy ƴy ƶz'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
);

const known = new Map<string, string>();

/** Where the characters of a folded text are in the original. */
export interface Places {
  /** Start of the original character of each UTF-16 unit. */
  starts: number[];
  /** End of the original character of each UTF-16 unit. */
  ends: number[];
}

/**
 * Returns whether each part of a run of this character is a word: in scripts without spaces, and in Hangul.
 *
 * In other scripts, words are separated by spaces.
 *
 * @example
 * ```ts
 * console.log(isAnyPart('会'), isAnyPart('é')); // true false
 * ```
 */
export function isAnyPart(character: string): boolean {
  const unit = character.charCodeAt(0);
  return unit > 127 && anyPart.test(String.fromCodePoint(character.codePointAt(0) ?? 0));
}

/**
 * Returns the words of a text in the form that the search compares, each between single spaces: ` word word `.
 *
 * Case, accents, strokes, compatible forms and invisible characters are removed. Letters, marks and digits are words of at
 * most 64 characters. A run of a script without spaces, or of Hangul, is one word. A text without words is one space.
 *
 * @example
 * ```ts
 * console.log(fold('Łódź, café & 東京タワー!')); // ' lodz cafe 東京タワー '
 * ```
 */
export function fold(text: string): string {
  return foldInto(text);
}

/** Folds a text, and notes where each character of the folded text comes from. */
export function foldWithPlaces(text: string): Places & { folded: string } {
  const places: Places = { starts: [], ends: [] };
  const folded = foldInto(text, places);
  return { folded, ...places };
}

/** What the folded text ends with. */
type End = 'space' | 'word' | 'unspaced' | 'hangul';

function foldInto(text: string, places?: Places): string {
  let folded = ' ';
  let end: End = 'space';
  /** What stands between the last character and this one. */
  let gap: '' | 'white' | 'sign' = '';
  let length = 0;
  let start = 0;
  let next = 0;
  const note = (added: string) => {
    if (places === undefined) return;
    for (let unit = 0; unit < added.length; unit += 1) {
      places.starts.push(start);
      places.ends.push(next);
    }
  };
  const append = (characters: string) => {
    note(characters);
    folded += characters;
  };
  note(' ');
  const addWord = (characters: string, count: number) => {
    if (end !== 'word' || gap !== '') {
      if (end !== 'space') append(' ');
      length = 0;
    }
    end = 'word';
    gap = '';
    length += count;
    if (length <= LONGEST_WORD) return append(characters);
    const room = count - (length - LONGEST_WORD);
    if (room > 0) return append(characters.slice(0, room));
    // The end of a word that is cut is the end of the original.
    if (places !== undefined) places.ends[places.ends.length - 1] = next;
  };
  const addPart = (character: string) => {
    const own = unspaced.test(character) ? 'unspaced' : 'hangul';
    const isRun = end === 'unspaced' || end === 'hangul';
    const continues = isRun && (gap === '' || (gap === 'white' && end === 'unspaced' && own === 'unspaced'));
    if (!continues && end !== 'space') append(' ');
    end = own;
    gap = '';
    append(character);
  };
  while (next < text.length) {
    start = next;
    asciiWord.lastIndex = start;
    const ascii = asciiWord.exec(text)?.[0] ?? '';
    // The last letter can have an accent, so it is folded below.
    const plain = text.charCodeAt(start + ascii.length) < 128 ? ascii : ascii.slice(0, -1);
    if (plain !== '') {
      if (places === undefined) {
        next = start + plain.length;
        addWord(plain.toLowerCase(), plain.length);
      } else {
        for (const letter of plain.toLowerCase()) {
          start = next;
          next += 1;
          addWord(letter, 1);
        }
      }
      continue;
    }
    cluster.lastIndex = start;
    const original = cluster.exec(text)?.[0] ?? text.charAt(start);
    next = start + original.length;
    for (const character of foldCluster(original)) {
      if (anyPart.test(character)) addPart(character);
      else if (wordCharacter.test(character)) addWord(character, 1);
      else if (gap !== 'sign') gap = /\s/.test(character) ? 'white' : 'sign';
    }
  }
  if (end !== 'space') {
    start = next;
    append(' ');
  }
  return folded;
}

function foldCluster(original: string): string {
  const found = known.get(original);
  if (found !== undefined) return found;
  // Upper case first makes `ß` and `SS` equal, and also both small sigmas.
  const lower = original.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  const folded = lower
    .normalize('NFD')
    .replace(accents, '')
    .normalize('NFKC')
    .replace(/[^\0-\x7f]/gu, (letter) => letters.get(letter) ?? letter);
  if (known.size < MOST_KNOWN) known.set(original, folded);
  return folded;
}
