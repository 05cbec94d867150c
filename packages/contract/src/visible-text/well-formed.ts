/** Returns a text with U+FFFD in place of each lone surrogate. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
