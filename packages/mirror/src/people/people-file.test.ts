import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMirrorError } from '../errors/mirror-error.ts';
import { header, type PeopleFile, readPeopleFile } from './people-file.ts';

const said = `sha256-${'x'.repeat(43)}`;
const at = '2026-11-25T22:00:00.000Z';
const ada = { memory: 'mem_1', speaker: 'Speaker 1', person: 'Ada Lovelace', said, at };
const removal = { ...ada, speaker: '__proto__', person: null };
const fileOf = (...lines: unknown[]) =>
  [header, ...lines].map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

const nameOfAda = { name: 'Ada Lovelace', folded: 'ada lovelace' };
const read: PeopleFile = {
  me: nameOfAda,
  decisions: [
    { line: 3, memoryId: 'mem_1', label: 'Speaker 1', person: nameOfAda, said, at: Date.parse(at) },
    { line: 4, memoryId: 'mem_1', label: '__proto__', person: null, said, at: Date.parse(at) },
  ],
};

async function* chunksOf(text: string, lengths: readonly number[]): AsyncGenerator<string> {
  let start = 0;
  for (const length of lengths) {
    yield text.slice(start, start + length);
    start += length;
  }
  yield text.slice(start);
}

test('reads a text in any chunks', async () => {
  const text = `\ufeff${fileOf({ me: ' Ada\tLovelace' }, ada, removal)}`.replaceAll('\n', '\r\n').trimEnd();
  expect(await readPeopleFile(text)).toEqual(read);
  const lengths = fc.array(fc.nat({ max: 40 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(lengths, async (cuts) => {
      expect(await readPeopleFile(chunksOf(text, cuts))).toEqual(read);
    }),
  );
});

test('skips empty lines, and counts them', async () => {
  const file = await readPeopleFile(` \r\n\n${fileOf('', ' \t', ada)}\n`);
  expect(file).toEqual({ me: undefined, decisions: [{ ...read.decisions[0], line: 6 }] });
});

test('takes lines that were written by hand', async () => {
  const { decisions } = await readPeopleFile(
    fileOf(
      { person: 'Bob', speaker: '', memory: 'mem_2' },
      { ...ada, at: '2026-11-25T23:00+01:00' },
      { ...ada, at: undefined },
    ),
  );
  expect(decisions).toEqual([
    { line: 2, memoryId: 'mem_2', label: '', person: { name: 'Bob', folded: 'bob' }, said: undefined, at: undefined },
    { ...read.decisions[0], line: 3 },
    { ...read.decisions[0], line: 4, at: undefined },
  ]);
});

const correct = 'Correct the line.';
const another = 'Pass a file of memory-read people export.';
const notFirst = `line 1 is not the first line of a file of names. ${another}`;

test.each<[text: string, problem: string]>([
  [fileOf(ada, '<<<<<<< HEAD', ada), `line 3 is not JSON. ${correct}`],
  [fileOf(`${JSON.stringify(ada)} {}`), `line 2 is not JSON. ${correct}`],
  [fileOf('[]'), `line 2 is not a JSON object. ${correct}`],
  [fileOf('', 'null'), `line 3 is not a JSON object. ${correct}`],
  [fileOf({ ...ada, note: 'mine' }), `line 2 has a field that is not supported. ${correct}`],
  [fileOf(`{"__proto__":1,${JSON.stringify(ada).slice(1)}`), `line 2 has a field that is not supported. ${correct}`],
  [fileOf({ me: 'Ada', at }), `line 2 has a field that is not supported. ${correct}`],
  [fileOf({ me: 'Ada' }, { me: '' }), `line 3 has no valid name. ${correct}`],
  [fileOf({ me: null }), `line 2 has no valid name. ${correct}`],
  [fileOf(header), `line 2 has a field that is not supported. ${correct}`],
  ...['', '\u200b', 'Speaker 7', 'x'.repeat(101), 1, undefined].map((person): [string, string] => [
    fileOf({ ...ada, person }),
    `line 2 has no valid name. ${correct}`,
  ]),
  ...['', '\ud800', 1, null, undefined].map((memory): [string, string] => [
    fileOf({ ...ada, memory }),
    `line 2 has no valid memory. ${correct}`,
  ]),
  [fileOf({ ...ada, speaker: null }), `line 2 has no valid speaker. ${correct}`],
  ...[said.slice(0, -1), `${said}x`, said.replace('256', '512'), `${said.slice(0, -1)}+`, null].map(
    (digest): [string, string] => [fileOf({ ...ada, said: digest }), `line 2 has no valid said. ${correct}`],
  ),
  ...['soon', '2026-02-30T00:00:00Z', '9000-01-01T00:00:00Z', 1, null].map((time): [string, string] => [
    fileOf({ ...ada, at: time }),
    `line 2 has no valid at. ${correct}`,
  ]),
  [fileOf({ ...ada, said: undefined }), `line 2 has at, but not said. ${correct}`],
  ['', `the file is empty. ${another}`],
  ['\n \r\n', `the file is empty. ${another}`],
  [JSON.stringify(ada), notFirst],
  ['{"format":"memory-read people"}', notFirst],
  ['{"format":"memory-read people","version":0}', notFirst],
  ['{"format":"other","version":2}', notFirst],
  ['{"format":"memory-read people","version":1,"by":"me"}', `line 1 has a field that is not supported. ${correct}`],
])('rejects %j', async (text, problem) => {
  const message = `Failed to import the names: ${problem} Nothing was imported.`;
  await expect(readPeopleFile(text)).rejects.toMatchObject({ code: 'invalid_file', message });
});

test('rejects a file of a newer version, whatever its fields are', async () => {
  await expect(readPeopleFile('{"format":"memory-read people","version":2,"by":"me"}\n?')).rejects.toMatchObject({
    code: 'newer_version',
    message:
      'Failed to import the names: the file has version 2, but this software supports only 1. Update the software. Nothing was imported.',
  });
});

test('rejects a file of more than 64 MiB, before it has read the rest', async () => {
  let yielded = 0;
  const mebibyte = `${' '.repeat(1024 * 1024 - 2)}é`;
  async function* endless() {
    yield fileOf(ada).padEnd(1024 * 1024, '\n');
    for (yielded = 1; ; yielded += 1) yield mebibyte;
  }
  await expect(readPeopleFile(endless())).rejects.toMatchObject({
    code: 'invalid_file',
    message: 'Failed to import the names: the file is larger than 64 MiB. Split it. Nothing was imported.',
  });
  expect(yielded).toBe(64);
});

test('rejects what is not a text', async () => {
  for (const file of [undefined, 5, ['x']]) {
    await expect(readPeopleFile(file as unknown as string)).rejects.toMatchObject({ code: 'invalid_option' });
  }
  async function* bytes() {
    yield Buffer.from(fileOf(ada));
  }
  await expect(readPeopleFile(bytes() as unknown as AsyncIterable<string>)).rejects.toMatchObject({
    code: 'invalid_option',
  });
});

test('rejects with a MirrorError for any damage to a file, or reads it', async () => {
  const text = fileOf({ me: 'Ada' }, ada, removal);
  const cut = fc.tuple(fc.nat({ max: text.length }), fc.nat({ max: 12 }), fc.string({ unit: 'binary', maxLength: 4 }));
  let rejected = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 3 }), async (cuts) => {
      const changed = cuts.reduce(
        (now, [from, length, put]) => now.slice(0, from) + put + now.slice(from + length),
        text,
      );
      try {
        await readPeopleFile(changed);
      } catch (error) {
        rejected += 1;
        expect(isMirrorError(error) && ['invalid_file', 'newer_version'].includes(error.code)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
  expect(rejected).toBeGreaterThan(150);
});
