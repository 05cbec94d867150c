import { expect, test } from 'vitest';
import { type JsonLine, readJsonLines } from './read-json-lines.ts';

test('reads lines that end anywhere in a chunk, with a carriage return, or with the file', async () => {
  expect(await read('1\n', '2', '\r\n3\n4', '5')).toEqual([
    { line: 1, value: 1 },
    { line: 2, value: 2 },
    { line: 3, value: 3 },
    { line: 4, value: 45 },
  ]);
});

test('reads a character that is split between chunks, counts blank lines, and skips a byte order mark', async () => {
  const bytes = Buffer.from('"ü"');
  expect(await read(bytes.subarray(0, 2), bytes.subarray(2))).toEqual([{ line: 1, value: 'ü' }]);
  expect(await read('\n \t\r\n7\n\n')).toEqual([{ line: 3, value: 7 }]);
  expect(await read('\uFEFF1')).toEqual([{ line: 1, value: 1 }]);
});

test.each([
  [['1\n', Uint8Array.of(0x22, 0xff, 0x22)], 'line 2: it is not valid UTF-8'],
  [['{"secret": 1,}'], 'line 1: it is not valid JSON from character 14 on'],
  [['secret'], 'line 1: it is not valid JSON'],
  [['1\n\uFEFF2'], expect.stringMatching(/^line 2: it is not valid JSON/)],
])('names the line and the position of %j, without its content', async (chunks, reason) => {
  await expect(read(...chunks)).rejects.toMatchObject({ reason });
});

test('rejects a line longer than 64 MiB before it has read the whole line', async () => {
  let chunksRead = 0;
  async function* endless() {
    for (;;) {
      chunksRead += 1;
      yield new Uint8Array(1024 * 1024).fill(0x20);
    }
  }
  await expect(collect(readJsonLines(endless()))).rejects.toMatchObject({ reason: 'line 1: it is longer than 64 MiB' });
  expect(chunksRead).toBe(65);
});

function read(...chunks: (string | Uint8Array)[]): Promise<JsonLine[]> {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  return collect(readJsonLines(bytes()));
}

async function collect(lines: AsyncIterable<JsonLine>): Promise<JsonLine[]> {
  const collected = [];
  for await (const line of lines) collected.push(line);
  return collected;
}
