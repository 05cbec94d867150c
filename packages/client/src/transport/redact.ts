const queryStart = /\?|(?:%(?:25)*|\\u00|\\x|&#x)3f|&#63/i;
const queryWord = new RegExp(`(?:${queryStart.source})\\S+`, 'gi');
const parameterMark = /[=&]|(?:%(?:25)*|\\u00|\\x)(?:3d|26)/i;
const secretParameter =
  /(signature|credential|token|secret|password|policy|sig|key|(?:key|pair|access)-?id)\s{0,3}(?:=|(?:%(?:25)*|\\u00|\\x|&#x)3d|&#61)[\s\S]*/i;
const userInformation = /(?:\/|%2f){2}(?:(?!%2f)[^\s/])+(?:@|%40)/gi;

/**
 * Text as it may stand in an error: without any of the API keys, without the query of a URL, without a URL's password.
 *
 * Rather too little is left than too much: nobody can tell where the query of a URL ends within a text, so all that
 * follows its beginning goes.
 */
export function redact(text: string, apiKeys: Iterable<string>): string {
  return cutQuery(removeKeys(text, apiKeys))
    .replace(secretParameter, '$1=[redacted]')
    .replace(userInformation, '//[redacted]@');
}

/** The longest first: a key may be the beginning of another. */
function removeKeys(text: string, apiKeys: Iterable<string>): string {
  const longestFirst = [...apiKeys].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((shown, apiKey) => shown.replace(anyFormOf(apiKey), '[redacted]'), text);
}

/** The key as it is, percent-encoded, or in the escapes of JSON or HTML, each character in its own way. */
function anyFormOf(apiKey: string): RegExp {
  const characters = [...apiKey].map((character) => {
    const code = character.charCodeAt(0).toString(16);
    return `\\\\{0,7}(?:${character.replace(/\W/, '\\$&')}|(?:%(?:25)*|u00|x|&#x)${code};?)`;
  });
  return new RegExp(characters.join(''), 'gi');
}

/** A question mark within prose stays where nothing behind it looks like a parameter. */
function cutQuery(text: string): string {
  const start = text.search(queryStart);
  if (start === -1) return text;
  if (parameterMark.test(text.slice(start))) return `${text.slice(0, start)}?[redacted]`;
  return text.replace(queryWord, '?[redacted]');
}
