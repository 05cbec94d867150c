/** What was said in a memory, with its speaker if it is not Ada. */
type Said = string | readonly [speaker: string, text: string];

/** Memories, newest first. Each has its own name, which no question finds unless it is meant to. */
export const spokenMemories: Readonly<Record<string, readonly Said[]>> = {
  Kyoto: ['来週のプロ', 'ジェクト会議は木曜日です。'],
  Lisbon: ['I think we should cancel the', 'trip of next week'],
  Street: ['My neighbours are loud.', ['Bob', 'Which neighbour?']],
  Shop: ['The premium is $79.'],
  Poland: ['We go to Łódź with Søren.', 'Đặng is færdig.'],
  'Call with the insurer': ['The premium rises.', ['Bob', 'By how much?']],
  'Insurance talk': [['Bob', 'A premium of 80.']],
  Lecture: Array.from({ length: 200 }, (_, index) =>
    index === 63 ? 'the red' : index === 64 ? 'kite' : `part ${index}`,
  ),
  Bangkok: ['ประ', 'ชุมพรุ่งนี้'],
  Beijing: ['我们下周', '开会！', '你好'],
  Unknown: [
    ['', 'a quiet'],
    ['', 'river'],
  ],
  Tehran: ['می\u200cخواهم'],
  Seoul: ['다음 주 회의는 월요일'],
  Office: ['ﬁnal draft', 'the \u202efinal word'],
};

/** Questions, and the memories that answer them, in order. */
export const searchCases: readonly (readonly [query: string, names: readonly string[]])[] = [
  ['プロジェクト会議', ['Kyoto']],
  ['プロ ジェクト', ['Kyoto']],
  ['"cancel the trip"', ['Lisbon']],
  ['neighbo', ['Street']],
  ['premium $79', ['Shop']],
  ['premium', ['Shop', 'Call with the insurer', 'Insurance talk']],
  ['lodz soren dang faerdig', ['Poland']],
  ['Łódź', ['Poland']],
  // Both words in one text come first.
  ['insurance premium', ['Insurance talk']],
  ['insurer premium', ['Call with the insurer']],
  ['"red kite"', ['Lecture']],
  ['ประชุม', ['Bangkok']],
  ['下周开会', ['Beijing']],
  ['"quiet river"', ['Unknown']],
  ['میخواهم', ['Tehran']],
  ['회의', ['Seoul']],
  ['final', ['Office']],
  ['final -draft', []],
  ['premium -rises', ['Shop', 'Insurance talk']],
  ['speaker:bob neighbour', ['Street']],
  ['speaker:bob neighbours', []],
  ['"neighbour"', ['Street']],
  ['bu*', []],
  ['ins*', ['Call with the insurer', 'Insurance talk']],
  ['rises insurer much', ['Call with the insurer']],
  ['premium zebra', []],
];
