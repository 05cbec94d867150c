import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the width of a text in columns: two for a wide character or an emoji, none for a combining one or a colour. */
export function displayWidth(text: string): number {
  // Most texts consist only of these characters, so they are measured without a segmenter, also with an ellipsis.
  return /^[ -~…]*$/.test(text) ? text.length : stringWidth(text);
}

/** Returns the characters as people see them. */
export function graphemesOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/**
 * Returns the text, shortened to the width with an ellipsis.
 *
 * An escape for an invisible character is kept or removed as a whole.
 */
export function fitText(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return width < 1 ? '' : `${beginningOf(text, width - 1)}…`;
}

/** Returns the text, padded with spaces to the width. */
export function padText(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function beginningOf(text: string, width: number): string {
  // Characters of one column each, without the backslash of an escape.
  if (/^[ -[\]-~]*$/.test(text)) return text.slice(0, width);
  let beginning = '';
  let left = width;
  for (const part of partsOf(text)) {
    left -= displayWidth(part);
    if (left < 0) break;
    beginning += part;
  }
  return beginning;
}

function* partsOf(text: string): Generator<string, void, void> {
  for (const [index, part] of text.split(/(\\u[\da-f]{4}|\\n)/).entries()) {
    if (index % 2 === 1) yield part;
    else yield* graphemesOf(part);
  }
}
