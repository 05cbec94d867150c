// Only escapes of visible ASCII characters are decoded, because a key has no others.
const hexadecimal = String.raw`(2[1-9a-f]|[3-6][\da-f]|7[\da-e])`;
const octal = '(0?4[1-7]|0?[5-7][0-7]|1[0-6][0-7]|17[0-6])';
const decimal = String.raw`(3[3-9]|[4-9]\d|1[01]\d|12[0-6])`;

/** Named entities that encoders write, or that occur in a URL. */
const namedByHtml: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  colon: ':',
  equals: '=',
  gt: '>',
  lowbar: '_',
  lt: '<',
  percnt: '%',
  plus: '+',
  quest: '?',
  quot: '"',
  sol: '/',
};

/**
 * A run of backslashes is matched as a whole, so that each is handled once.
 *
 * A bundler can only drop it, for an app that redacts nothing, because the function is marked as pure.
 */
const anyEscape = /* @__PURE__ */ (() =>
  new RegExp(
    [
      `%(?:u00|(?:25)*)${hexadecimal}`,
      String.raw`\\+(?:(?:u00|u0{6}|x)${hexadecimal}|u\{0*${hexadecimal}\}|${octal}|)`,
      `&(?:amp;)*(?:#x0*${hexadecimal};?|#0*${decimal};?|(${Object.keys(namedByHtml).join('|')});)`,
    ].join('|'),
    'gi',
  ))();

/** Maximum depth of nested escapes. */
const MAXIMUM_DEPTH = 4;

/**
 * Returns a text without the escapes of visible ASCII characters.
 *
 * It decodes percent-encoding and the escapes of JSON, JavaScript and HTML, also when nested. All backslashes are
 * removed.
 */
export function decodeEscapes(text: string): string {
  let plain = text;
  for (let depth = 0; depth < MAXIMUM_DEPTH && /[%\\&]/.test(plain); depth += 1)
    plain = plain.replace(anyEscape, decode);
  return plain;
}

function decode(_escape: string, ...groups: readonly (string | undefined)[]): string {
  const [byPercent, byBackslash, byBraces, octalDigits, byHtml, decimalDigits, name] = groups;
  if (name !== undefined) return namedByHtml[name.toLowerCase()] ?? '';
  if (octalDigits !== undefined) return String.fromCharCode(Number.parseInt(octalDigits, 8));
  const code = decimalDigits ?? Number.parseInt(byPercent ?? byBackslash ?? byBraces ?? byHtml ?? '', 16);
  return code ? String.fromCharCode(Number(code)) : '';
}
