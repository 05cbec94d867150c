import { LineError } from './line-error.ts';

const lineFeed = 0x0a;
const maximumMebibytes = 64;

/**
 * Yields the lines of a stream of bytes, without their line feeds. It holds one line at a time.
 *
 * @throws LineError if a line is longer than 64 MiB.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
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
