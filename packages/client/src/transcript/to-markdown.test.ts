import { expect, test } from 'vitest';
import { sampleTranscript } from '../testing/sample-transcript.ts';
import { toMarkdown } from './to-markdown.ts';

test('writes each turn as a paragraph with its speaker, and optionally its start', () => {
  const memory = sampleTranscript([1.25, 2, 'Good'], [2, 3, 'morning.'], [3_661, 3_662, 'Yes?', 'Speaker 2']);
  expect(toMarkdown(memory)).toBe('**Speaker 1:** Good morning.\n\n**Speaker 2:** Yes?\n');
  expect(toMarkdown(memory, { timestamps: true })).toBe(
    '`0:00:01` **Speaker 1:** Good morning.\n\n`1:01:01` **Speaker 2:** Yes?\n',
  );
  expect(toMarkdown(memory, { speakerLabels: false })).toBe('Good morning.\n\nYes?\n');
});

test.each([
  ['# One', '\\# One'],
  ['---', '\\---'],
  ['- a\n- b', '\\- a - b'],
  ['12. twelve', '12\\. twelve'],
  ['3) three', '3\\) three'],
  ['+1', '\\+1'],
  ['```js', '\\`\\`\\`js'],
  ['[a](https://b.c)', '\\[a\\](https\\:\\//b.c)'],
  ['//b.c', '\\//b.c'],
  ['x ///b.c and/or 1 / 2', 'x \\/\\//b.c and/or 1 / 2'],
  ['<//b.c> ![a](//b.c) [a]: //b.c', '\\<\\//b.c\\> !\\[a\\](\\//b.c) \\[a\\]: \\//b.c'],
  ['www.a.b', 'www\\.a.b'],
  ['ada@b.c', 'ada\\@b.c'],
  ['<b>&amp;', '\\<b\\>\\&amp;'],
  ['a | b', 'a \\| b'],
  ['*a* _b_ ~~c~~ ==d== %%e%% $f$', '\\*a\\* \\_b\\_ \\~\\~c\\~\\~ \\=\\=d\\=\\= \\%\\%e\\%\\% \\$f\\$'],
  ['mood:: calm (a:: b) [c:: d] e::: f', 'mood:\\: calm (a:\\: b) \\[c:\\: d\\] e:\\:\\: f'],
  ['id:: 5 collapsed:: true', 'id:\\: 5 collapsed:\\: true'],
  [':: a', '\\:\\: a'],
  [':LOGBOOK:', '\\:LOGBOOK:'],
  ['((64b1-9f)) (((a)))', '(\\(64b1-9f)) (\\(\\(a)))'],
  [
    '#tag [[page]] ![[page]] {{query}} block ^id',
    '\\#tag \\[\\[page\\]\\] !\\[\\[page\\]\\] \\{\\{query\\}\\} block \\^id',
  ],
  ['- [ ] call', '\\- \\[ \\] call'],
  ['`= this.x` <% tp %> > [!note]', '\\`\\= this.x\\` \\<\\% tp \\%\\> \\> \\[!note\\]'],
  ['At 10:30 (or so): yes', 'At 10:30 (or so): yes'],
  ['back\\', 'back\\\\'],
  ['    indented', 'indented'],
  ["It's 3.5 (or so) - right? Yes!", "It's 3.5 (or so) - right? Yes!"],
  ['שלום 👩🏽‍🚀', 'שלום 👩🏽‍🚀'],
  ['\u202eשלום\u202c', '\ufffdשלום\ufffd'],
])('%j is written %j', (text, markdown) => {
  expect(toMarkdown(sampleTranscript([1, 2, text]), { speakerLabels: false })).toBe(`${markdown}\n`);
});

test('escapes a label too, and omits a blank one', () => {
  expect(toMarkdown(sampleTranscript([1, 2, 'a', '**x**\n# y'], [2, 3, 'b', ' '], [3, 4, 'c', 'z:']))).toBe(
    '**\\*\\*x\\*\\* \\# y:** a\n\nb\n\n**z:\\:** c\n',
  );
});
