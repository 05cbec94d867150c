import { redact } from '@memory-read/contract/redaction';

/** Functions that remove secrets from a text. */
export interface Redaction {
  /** Also removes the queries of URLs, which may be signatures. */
  redact(text: string): string;
  /** Keeps the query of the request itself, but removes that of a URL in its path. */
  redactRequest(text: string): string;
  /** Makes each part of the query of this URL a secret. */
  learnSigned(url: string): void;
}

/** Returns a redaction of these keys, which consist of visible ASCII characters. */
export function createRedaction(keys: readonly string[]): Redaction {
  const long = keys.filter((key) => key.length >= shortestPart);
  const secrets = [...long, ...long.map(toHexadecimal)].sort((one, other) => other.length - one.length);
  // Secrets are replaced one by one, the longest first: a key inside another may be its only unescaped part.
  const withoutLong = (text: string) => secrets.reduce((rest, secret) => redact(rest, [secret]), text);
  // A short key is part of many words, so it is replaced only as a whole word.
  const withoutSecrets = (text: string) =>
    withoutLong(text).replace(/[^\s",:;=<>()[\]{}/]+/g, (word) => (keys.includes(word) ? '[redacted]' : word));
  const parts = new Set<string>();
  let learned = 0;
  return {
    redact: (text) => withoutParts(withoutSecrets(text), parts),
    // Text from the server, such as an id, contains no white space and no question mark, so it is one of these pieces.
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
// A list of 100,000 memories has so many URLs that their parts would exhaust the memory.
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

/** Returns each part of the text, at the index where it starts. */
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
