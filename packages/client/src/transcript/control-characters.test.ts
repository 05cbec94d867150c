import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleTranscript } from '../testing/sample-transcript.ts';
import { toMarkdown, toSrt, toText, toVtt, turns } from './index.ts';

const formats = { toMarkdown, toSrt, toText, toVtt };
type Format = keyof typeof formats;

/** The characters of a format's own markup that are not part of the text. */
const escapes: Record<Format, (text: string) => string> = {
  toMarkdown: (text) => text.replace(/\\(.)/gsu, '$1'),
  toSrt: (text) => text.replaceAll('\u2060', ''),
  toText: (text) => text,
  toVtt: (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
};

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const lineBreaks = [0x0a, 0x0b, 0x0c, 0x0d, 0x85];
const controls = [...range(0x00, 0x1f), ...range(0x7f, 0x9f)].filter(
  (code) => code !== 0x09 && !lineBreaks.includes(code),
);
const directions = [...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
const hostile = [...controls, ...directions].map((code) => String.fromCodePoint(code));

const isHostile = (text: string) => [...text].some((character) => hostile.includes(character));

for (const name of Object.keys(formats) as Format[]) {
  test.each(hostile)(`${name} writes U+FFFD for %j, wherever it stands`, (character) => {
    const memory = sampleTranscript(
      [1, 2, `a${character}b`, `x${character}y`],
      [2, 3, `${character}]0;title${character}`, character],
    );
    const written = formats[name](memory);
    expect(isHostile(written)).toBe(false);
    expect(written).toContain('a\ufffdb');
    expect(written).toContain('x\ufffdy');
  });

  test.each(lineBreaks.map((code) => String.fromCodePoint(code)))(
    `${name} writes a line break or a space for %j`,
    (character) => {
      const written = formats[name](sampleTranscript([1, 2, `a${character}b`, `x${character}y`]));
      expect(written).toMatch(/a[\n ]b/);
      expect(written).toContain('x y');
      expect(written.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    },
  );

  test(`${name} writes no control of any text, and leaves each other character as it is`, () => {
    const anyText = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.constantFrom(...hostile, 'e\u0301', 'שלום', 'می‌خواهم', '👩🏽‍🚀', '❤️'),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(anyText, anyText, (textParts, labelParts) => {
        const text = textParts
          .join('')
          .replace(/[\n\v\f\r\x85\u2028\u2029\u2060\\&]/g, 'n')
          .trim();
        const label = `L${labelParts.join('').replace(/[\n\v\f\r\x85\u2028\u2029\u2060\\&]/g, 'n')}L`;
        const written = formats[name](sampleTranscript([1, 2, `T${text}`, label]), { cues: 'stored' });
        expect(isHostile(written)).toBe(false);
        const plain = escapes[name](written);
        for (const part of [label, `T${text}`]) {
          expect(plain).toContain([...part].map((character) => (isHostile(character) ? '\ufffd' : character)).join(''));
        }
      }),
    );
  });
}

test('a turn shows no control, and names its speaker as stored', () => {
  expect(turns(sampleTranscript([1, 2, 'a\u001b[2J', '\u202eA']))).toMatchObject([
    { speaker: '\u202eA', text: 'a\ufffd[2J' },
  ]);
});

test('scripts with their marks of direction, emoji, marks and joiners stay', () => {
  for (const text of ['שלום\u200f ABC\u200e \u061cمرحبا', 'می‌خواهم क्‍ष 👩🏽‍🚀 ❤️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301 a\tb'])
    for (const format of Object.values(formats)) expect(format(sampleTranscript([1, 2, text]))).toContain(text);
});
