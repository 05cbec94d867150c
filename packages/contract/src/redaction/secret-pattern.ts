/** Returns a pattern that finds a key of visible ASCII characters, in any case and in base64. */
export function secretPattern(key: string): RegExp {
  const plain = key.replace(/[^\w-]/g, '\\$&');
  const all = [0, 1, 2].reduce((forms, offset) => `${forms}|${inBase64(key, offset)}`, plain);
  // A shorter key is part of many words, and shares each base64 character with its neighbours.
  return new RegExp(key.length < 4 ? `(?<![\\w-])${plain}(?![\\w-])` : all, 'gi');
}

/** Where the key stands so many bytes behind a group of three. The characters around may hold bits of it. */
function inBase64(key: string, offset: number): string {
  const certain = btoa(' '.repeat(offset) + key).replace(/.=*$/, '');
  const pattern = certain.slice(offset && offset + 1).replace(/[+/]/g, '[$&_-]');
  // The number of surrounding characters is limited, so that matching stays fast.
  return `[\\w+/=-]{0,3}${pattern}[\\w+/=-]{0,3}`;
}
