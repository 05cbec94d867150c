import { isInsideCharacter } from './is-inside-character.ts';

/** Returns the beginning of a visible text. It does not end with a part of a character or white space. */
export function cutText(text: string, end: number): string {
  let cut = Math.max(0, Math.min(end, text.length));
  while (cut > 0 && isInsideCharacter(text, cut)) cut -= 1;
  return text.slice(0, cut).trimEnd();
}
