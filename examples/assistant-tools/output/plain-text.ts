/** What cannot be seen: controls, marks that turn the direction of text, and tags, in which instructions can hide. */
const unseen = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]+/gu;

/** What a reader would see of a text, on one line, up to a number of UTF-16 units, with … where it was cut. */
export function plainText(text: string, limit = Number.POSITIVE_INFINITY): string {
  const seen = text.toWellFormed().replace(unseen, ' ').trim();
  return seen.length <= limit ? seen : `${cutAt(seen, limit - 1)}…`;
}

/** The beginning of a text, in which no character is cut in half. */
export function cutAt(text: string, end: number): string {
  return text.slice(0, end).replace(/[\ud800-\udbff]$/, '');
}
