import { redact } from '@memory-read/contract/redaction';

/** What takes secrets out of a text. */
export interface Redaction {
  /** Also the queries of URLs, which may be signatures. */
  redact(text: string): string;
  /** Of a request of the run itself, whose own query stays; that of a URL in its path does not. */
  redactRequest(text: string): string;
  /** From now on, each part of the query of this URL is a secret too. */
  learnSigned(url: string): void;
}

/** A redaction that knows these keys, which are of visible ASCII characters. */
export function createRedaction(keys: readonly string[]): Redaction {
  const long = keys.filter((key) => key.length >= shortestPart);
  const secrets = [...long, ...long.map(toHexadecimal)].sort((one, other) => other.length - one.length);
  // One after the other, the longest first: a key within another may be all of it that is not escaped.
  const withoutLong = (text: string) => secrets.reduce((rest, secret) => redact(rest, [secret]), text);
  // A short key is part of many words, so it is replaced only as a whole word.
  const withoutSecrets = (text: string) =>
    withoutLong(text).replace(/[^\s",:;=<>()[\]{}/]+/g, (word) => (keys.includes(word) ? '[redacted]' : word));
  const parts = new Set<string>();
  let learned = 0;
  return {
    redact: (text) => withoutParts(withoutSecrets(text), parts),
    // What a server had its part in stands between blanks and question marks, and has neither.
    redactRequest: (text) => text.replace(/[^\s?]+/g, withoutSecrets),
    learnSigned(url) {
      if (learned === maxLearned) return;
      learned += 1;
      const [, query = ''] = url.split(/\?(.*)/s);
      for (const form of [query, decode(query)].map((each) => each.slice(0, maxQueryLength)))
        partsOf(form).forEach((part) => void parts.add(part));
    },
  };
}

const shortestPart = 4;
const partLength = 8;
// A list of 100,000 memories has so many URLs that their parts would fill the memory.
const maxLearned = 1000;
const maxQueryLength = 2000;

function withoutParts(text: string, known: ReadonlySet<string>): string {
  const isSecret = new Set<number>();
  partsOf(text).forEach((part, start) => {
    if (!known.has(part)) return;
    for (let index = start; index < start + partLength; index += 1) isSecret.add(index);
  });
  if (isSecret.size === 0) return text;
  return Array.from(text.split(''), (character, index) => (isSecret.has(index) ? '\0' : character))
    .join('')
    .replace(/\0+/g, '…');
}

/** Each of its parts, at the index where it starts. */
function partsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - partLength + 1) }, (_, start) =>
    text.slice(start, start + partLength),
  );
}

function toHexadecimal(key: string): string {
  return Array.from(key, (character) => character.charCodeAt(0).toString(16)).join('');
}

function decode(query: string): string {
  try {
    return decodeURIComponent(query);
  } catch {
    return query;
  }
}
