import { secretPattern } from '@memory-read/contract/redaction';

/** Finds keys in texts, however their characters are percent-encoded, and in base64. */
export interface KeySpellings {
  add(key: string): void;
  isIn(text: string): boolean;
  redact(text: string): string;
}

// A shorter key would match parts of other texts.
const SHORTEST_SECRET = 8;

export function createKeySpellings(): KeySpellings {
  const keys = new Set<string>();
  let pattern: RegExp | undefined;
  const current = () => (pattern ??= patternOf(keys));
  return {
    add(key) {
      if (key.length < SHORTEST_SECRET || keys.has(key)) return;
      keys.add(key);
      pattern = undefined;
    },
    isIn: (text) => text.search(current()) >= 0,
    redact: (text) => text.replace(current(), '[key]'),
  };
}

/** A key can begin with another one, so the longest ones come first. */
function patternOf(keys: ReadonlySet<string>): RegExp {
  const longestFirst = [...keys].sort((one, other) => other.length - one.length);
  const forms = longestFirst.flatMap((key) => [[...key].map(spellingsOf).join(''), secretPattern(key).source]);
  return new RegExp(forms.join('|') || '(?!)', 'gi');
}

/** The encoding can be repeated: `%2541` is `A` too. */
function spellingsOf(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(2, '0');
  return `(?:${character.replace(/[^\w-]/g, '\\$&')}|%(?:25)*${code})`;
}
