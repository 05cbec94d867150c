const lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;

/**
 * The lines in which there is something to see, without the white space around them.
 *
 * A blank line would end a cue or a paragraph. U+0000, which ends the text for some players, becomes U+FFFD, as WebVTT
 * and Markdown have it.
 */
export function visibleLines(text: string): string[] {
  return text
    .replaceAll('\0', '\ufffd')
    .split(lineBreak)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** All that there is to see, on one line. */
export function visibleText(text: string): string {
  return visibleLines(text).join(' ');
}
