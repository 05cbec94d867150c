/** Finds keys in texts, however their characters are percent-encoded. */
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
  return new RegExp(longestFirst.map((key) => [...key].map(spellingsOf).join('')).join('|') || '(?!)', 'g');
}

/** The encoding can be repeated: `%2541` is `A` too. */
function spellingsOf(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(2, '0');
  const digits = [...code].map((digit) => `[${digit}${digit.toUpperCase()}]`).join('');
  return `(?:${character.replace(/[^\w-]/g, '\\$&')}|%(?:25)*${digits})`;
}
