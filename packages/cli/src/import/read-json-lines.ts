import { LineError } from './line-error.ts';
import { splitLines } from './split-lines.ts';

/** A JSON value with the number of its line, counted from 1. */
export interface JsonLine {
  line: number;
  value: unknown;
}

/**
 * Yields the values of a JSON Lines file. It skips a byte order mark, carriage returns and blank lines.
 *
 * @throws LineError at the first line that is too long, not UTF-8 or not JSON.
 */
export async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonLine, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = 0;
  for await (const bytes of splitLines(chunks)) {
    line += 1;
    const text = decodeLine(bytes, line, decoder);
    if (!/^[ \t\r]*$/.test(text)) yield { line, value: parseLine(text, line) };
  }
}

function decodeLine(bytes: Uint8Array, line: number, decoder: TextDecoder): string {
  try {
    const text = decoder.decode(bytes);
    return line === 1 ? text.replace(/^\uFEFF/, '') : text;
  } catch {
    throw new LineError(line, 'it is not valid UTF-8');
  }
}

/** Returns only the position of the error, because the message of the parser would quote the line. */
function parseLine(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    throw new LineError(
      line,
      position === undefined
        ? 'it is not valid JSON'
        : `it is not valid JSON from character ${Number(position) + 1} on`,
    );
  }
}
