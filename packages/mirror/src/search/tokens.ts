/** A word of a text, or a pair of neighbouring characters of a script without spaces. */
export interface Token {
  text: string;
  /** UTF-16 offsets of the word, or of the first character of the pair. */
  start: number;
  end: number;
  /** Whether the token is of a script without spaces. It then counts as one character. */
  isCharacter: boolean;
  /** Number of the run of characters. The last character of a run is a token by itself. */
  run: number;
}

/** Longer words are cut, in texts and in queries. */
const LONGEST_TOKEN = 64;

/** A character of a script that has no spaces between words. */
export const scriptsWithoutSpaces =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tai_Le}\p{sc=New_Tai_Lue}\p{sc=Tai_Tham}\p{sc=Tai_Viet}\p{sc=Javanese}\p{sc=Balinese}\p{sc=Yi}]/u;

const simpleWord = /[\dA-Za-z]+/y;
// Matches a character with its marks, a syllable of single jamo, or narrow kana with its voicing mark.
const cluster = /(?:[\u1100-\u115f]+[\u1160-\u11a7]+|[\uac00-\ud7a3])[\u11a8-\u11ff]*\p{M}*|.[\uff9e\uff9f\p{M}]*/suy;
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;
const withoutSpaces = new RegExp(`${scriptsWithoutSpaces.source}|\\p{sc=Hangul}`, 'u');
// Matches accents of Latin, Greek and Cyrillic, vowel signs of Arabic and Hebrew, the Arabic tatweel, and invisible
// hyphens and variation selectors.
const accents =
  /[\u0300-\u036f]|[\u0483-\u0487]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08ff]|\xad|\p{Variation_Selector}/gu;

const foldedClusters = new Map<string, string>();

/** Returns a character in the form that the index compares: without compatible forms, case and accents. */
function fold(character: string): string {
  const known = foldedClusters.get(character);
  if (known !== undefined) return known;
  // Upper case first makes `ß` and `SS` equal, and also both small sigmas.
  const lower = character.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  const folded = lower.normalize('NFD').replace(accents, '').normalize('NFKC');
  if (foldedClusters.size < 50_000) foldedClusters.set(character, folded);
  return folded;
}

/** Returns the words of a text with their positions in it. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let word = '';
  let start = 0;
  let run: { text: string; start: number; end: number }[] = [];
  let runs = 0;
  const endWord = (end: number) => {
    if (word !== '') tokens.push({ text: cut(word), start, end, isCharacter: false, run: -1 });
    word = '';
  };
  const endRun = () => {
    for (const [index, character] of run.entries()) {
      tokens.push({ ...character, text: character.text + (run[index + 1]?.text ?? ''), isCharacter: true, run: runs });
    }
    if (run.length > 0) runs += 1;
    run = [];
  };
  let offset = 0;
  while (offset < text.length) {
    simpleWord.lastIndex = offset;
    const simple = simpleWord.exec(text)?.[0] ?? '';
    // The last letter can have an accent, so it is handled below.
    const plain = text.charCodeAt(offset + simple.length) < 128 ? simple : simple.slice(0, -1);
    if (plain !== '') {
      endRun();
      if (word === '') start = offset;
      word += plain.toLowerCase();
      offset += plain.length;
      continue;
    }
    cluster.lastIndex = offset;
    const original = cluster.exec(text)?.[0] ?? text.charAt(offset);
    const end = offset + original.length;
    for (const character of fold(original)) {
      if (!wordCharacter.test(character)) {
        endWord(offset);
        endRun();
      } else if (withoutSpaces.test(character)) {
        endWord(offset);
        run.push({ text: character, start: offset, end });
      } else {
        endRun();
        if (word === '') start = offset;
        word += character;
      }
    }
    offset = end;
  }
  endWord(offset);
  endRun();
  return tokens;
}

/** Returns a key that is equal for all spellings of a speaker. */
export function speakerKey(label: string): string {
  const folded = tokenize(label).map(({ text }) => text);
  return folded.length > 0 ? folded.join(' ') : label.normalize('NFKC').trim().toLowerCase();
}

function cut(word: string): string {
  return word.length > LONGEST_TOKEN ? [...word].slice(0, LONGEST_TOKEN).join('') : word;
}
