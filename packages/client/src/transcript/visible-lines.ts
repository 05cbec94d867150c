const lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;

/**
 * Returns the lines with visible text, without white space around them.
 *
 * A blank line would end a cue or a paragraph. U+0000 ends the text for some players, so it becomes U+FFFD, as WebVTT
 * and Markdown specify.
 */
export function visibleLines(text: string): string[] {
  return text
    .replaceAll('\0', '\ufffd')
    .split(lineBreak)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Returns the visible text on one line. */
export function visibleText(text: string): string {
  return visibleLines(text).join(' ');
}
