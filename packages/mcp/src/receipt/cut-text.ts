import { isInsideCharacter } from './is-inside-character.ts';

/** Returns the beginning of a visible text, without a half of a character and without white space at its end. */
export function cutText(text: string, end: number): string {
  let cut = Math.max(0, Math.min(end, text.length));
  while (cut > 0 && isInsideCharacter(text, cut)) cut -= 1;
  return text.slice(0, cut).trimEnd();
}
