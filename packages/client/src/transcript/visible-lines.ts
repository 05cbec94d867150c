import { replaceControls } from '@memory-read/contract/redaction';
import { joinTexts, linesOf } from './join-texts.ts';

/**
 * Returns the lines with visible text, without white space around them.
 *
 * A blank line would end a cue or a paragraph. Control characters become U+FFFD: they could act on the terminal that
 * shows the text, or reorder it. U+0000 ends the text for some players.
 */
export function visibleLines(text: string): string[] {
  return linesOf(text).map(replaceControls);
}

/** Returns the visible text on one line. */
export function visibleText(text: string): string {
  return replaceControls(joinTexts([text]));
}
