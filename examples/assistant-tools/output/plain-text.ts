/**
 * Invisible characters, in which instructions can hide: controls, direction marks, tags, variation selectors and others
 * without width. A selector after an emoji and a joiner between letters or emoji are part of the text.
 */
const unseen =
  /(?:(?!(?<=\p{ExtPict})(?:\ufe0e|\ufe0f)|\ufe0f(?=\u20e3)|(?<=[\p{L}\p{M}\p{ExtPict}\p{EMod}])(?:\u200c|\u200d)(?=[\p{L}\p{ExtPict}]))[\p{Cc}\p{DI}\u2028\u2029\ufff9-\ufffb])+/gu;

/** Characters that an id shows only as escapes: everything invisible, and the sign of escapes. */
const escapedInIds = /[\p{Cc}\p{DI}\u2028\u2029\ufff9-\ufffb%]/gu;

/** Returns the visible text on one line, shortened to `limit` UTF-16 units with an ellipsis. */
export function plainText(text: string, limit = Number.POSITIVE_INFINITY): string {
  const seen = text.toWellFormed().replace(unseen, ' ').trim();
  return seen.length <= limit ? seen : `${cutAt(seen, limit - 1)}…`;
}

/** Returns the beginning of a text without cutting a character in half. */
export function cutAt(text: string, end: number): string {
  return text.slice(0, end).replace(/[\ud800-\udbff]$/, '');
}

/** Returns an id with its invisible characters percent-encoded, so that a model can pass it back. */
export function shownId(id: string): string {
  return id.toWellFormed().replace(escapedInIds, encodeURIComponent);
}

/** Returns the id that {@link shownId} has shown. */
export function readId(shown: string): string {
  return shown.replace(/(?:%[\dA-F]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
