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

const lineFeed = 0x0a;
const maximumMebibytes = 64;

/**
 * Yields the lines of a stream of bytes, without their line feeds. It holds one line at a time.
 *
 * @throws LineError if a line is longer than 64 MiB.
 */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let line = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      yield Buffer.concat([...pending, chunk.subarray(start, end)]);
      pending = [];
      pendingBytes = 0;
      line += 1;
      start = end + 1;
    }
    pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    if (pendingBytes > maximumMebibytes * 1024 * 1024) {
      throw new LineError(line, `it is longer than ${maximumMebibytes} MiB`);
    }
  }
  if (pendingBytes > 0) yield Buffer.concat(pending);
}

/** Thrown when a line of a file is invalid. */
export class LineError extends Error {
  override readonly name = 'LineError';
  /** The number of the line, counted from 1, and the problem without the content of the line. */
  readonly reason: string;

  /** Creates the error for the line with this number, counted from 1. */
  constructor(line: number, problem: string) {
    super(`Failed to read line ${line}: ${problem}. Correct the line.`);
    this.reason = `line ${line}: ${problem}`;
  }
}
