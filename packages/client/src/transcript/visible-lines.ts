import { replaceControls } from '@memory-read/contract/redaction';

const lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;

/**
 * Returns the lines with visible text, without white space around them.
 *
 * A blank line would end a cue or a paragraph. Control characters become U+FFFD: they could act on the terminal that
 * shows the text, or reorder it. U+0000 ends the text for some players.
 */
export function visibleLines(text: string): string[] {
  return text
    .split(lineBreak)
    .map((line) => replaceControls(line.trim()))
    .filter((line) => line !== '');
}

/** Returns the visible text on one line. */
export function visibleText(text: string): string {
  return visibleLines(text).join(' ');
}
