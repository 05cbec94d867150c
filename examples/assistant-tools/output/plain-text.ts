/** Invisible characters: controls, direction marks and tags, in which instructions can hide. */
const unseen = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]+/gu;

/** Returns the visible text on one line, shortened to `limit` UTF-16 units with an ellipsis. */
export function plainText(text: string, limit = Number.POSITIVE_INFINITY): string {
  const seen = text.toWellFormed().replace(unseen, ' ').trim();
  return seen.length <= limit ? seen : `${cutAt(seen, limit - 1)}…`;
}

/** Returns the beginning of a text without cutting a character in half. */
export function cutAt(text: string, end: number): string {
  return text.slice(0, end).replace(/[\ud800-\udbff]$/, '');
}
