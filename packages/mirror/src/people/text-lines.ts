import { invalidOption } from '../options/check-options.ts';
import { importAction, invalidFile } from './people-errors.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Yields the lines of a text in any chunks, also empty ones, without line feeds and without a byte order mark.
 *
 * @throws {@link MirrorError} with the code `invalid_file` if the text is larger than 64 MiB.
 */
export async function* textLines(text: string | AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  if (typeof text !== 'string' && typeof Object(text)[Symbol.asyncIterator] !== 'function') throw notText();
  // A line that comes in many chunks is joined once.
  let parts: string[] = [];
  let bytes = 0;
  for await (const chunk of typeof text === 'string' ? [text] : text) {
    if (typeof chunk !== 'string') throw notText();
    const isFirst = bytes === 0;
    bytes += Buffer.byteLength(chunk);
    if (bytes > MOST_BYTES) throw invalidFile('the file is larger than 64 MiB', 'Split it');
    const [head = '', ...others] = (isFirst ? chunk.replace(/^\uFEFF/, '') : chunk).split('\n');
    parts.push(head);
    for (const other of others) {
      yield parts.join('');
      parts = [other];
    }
  }
  yield parts.join('');
}

function notText() {
  return invalidOption(importAction, 'file is not a text', 'Pass the text, or an async iterable of its parts');
}
