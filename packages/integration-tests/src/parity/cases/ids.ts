import { edgeCases } from '@memory-read/fixtures';
import type { ParityCase } from '../parity-case.ts';

const malformed: Record<string, string> = {
  'a lone percent sign': '%',
  'a percent sign and one digit': '%2',
  'a percent sign and no digits': '%zz',
  'broken escapes behind good ones': 'a%20b%',
  'no UTF-8': '%ff',
  'a cut UTF-8 sequence': '%e2%82',
  'an overlong slash': '%c0%af',
  'a surrogate in UTF-8': '%ed%a0%80',
  'beyond the last code point': '%f4%90%80%80',
  'é in Latin-1': 'caf%e9',
  NUL: '%00',
  'NUL in the middle': 'a%00b',
  'a line feed': '%0A',
  'a line break': 'a%0d%0ab',
  'a tab': '%09',
  escape: '%1b%5b2J',
  delete: '%7f',
  'a control character beyond ASCII': '%c2%85',
  '257 characters': 'x'.repeat(257),
  '257 code points of four bytes': encodeURIComponent('🗝'.repeat(257)),
  '257 characters, each percent-encoded': '%78'.repeat(257),
  '5,000 characters': 'x'.repeat(5_000),
};

const unknown: Record<string, string> = {
  'any text': 'unknown',
  'a UUID': '00000000-0000-4000-8000-000000000000',
  'a ULID': 'mem_01HZX3QJ9V7K2M4N5P6R7S8T9V',
  'a number': '42',
  'a negative number': '-1',
  null: 'null',
  undefined: 'undefined',
  'three dots and more': '....',
  'two dots before a letter': '..a',
  'a dot behind a name': 'mem_of_one.',
  'a file name': 'mem_of_one.json',
  'an encoded slash': 'mem%2Fone',
  'an encoded slash at the end': 'mem_of_one%2F',
  'an encoded slash of small letters': 'mem_of_one%2f',
  'an encoded backslash': 'a%5Cb',
  'encoded dot segments': '..%2f..%2fetc%2fpasswd',
  'a percent-encoded percent sign': '%25',
  'an escape encoded twice': '%2500',
  'a plus, which is not a space': 'two++words',
  'an encoded question mark': 'mem_of_one%3Fa=1',
  'an encoded number sign': '%23',
  'a semicolon': 'mem_of_one;v=1',
  'a colon and an at sign': 'user:pass@host',
  'an encoded byte order mark': '%EF%BB%BFmem_of_one',
  'a no-break space behind': 'mem_of_one%C2%A0',
  'a space behind': 'mem_of_one%20',
  'white space only': '%20',
  'capital letters': 'MEM_OF_ONE',
  'a zero-width space': 'mem%E2%80%8B_of_one',
  'a no-character': '%ef%bf%bf',
  'an unassigned code point': '%f3%b0%80%80',
  'right-to-left text': encodeURIComponent('שלום'),
  'emoji of many code points': encodeURIComponent('👩🏽‍🚀'),
  'a statement in SQL': encodeURIComponent(`' OR '1'='1`),
  'wildcards of SQL': 'mem%25_of_%5F',
  'a name that every object has': 'constructor',
  '256 characters': 'x'.repeat(256),
  '256 code points of four bytes': encodeURIComponent('🔑'.repeat(256)),
  'a quote and angle brackets as they are': '"<script>"',
  'braces and a bar as they are': '{a|b}',
};

const spellings: Record<string, string> = {
  'every character percent-encoded': percentEncoded('mem_of_one'),
  'one character percent-encoded': 'mem%5fof_one',
  'digits of an escape in capitals': 'mem%5Fof_one',
};

const headers = [['X-API-Key', 'key-of-one']] as const;

export const idCases: readonly ParityCase[] = [
  ...casesOf('a malformed id', malformed),
  ...casesOf('an id that nobody has', unknown),
  ...casesOf('an id that is there', spellings),
  ...['%zz', 'unknown', 'mem_of_one'].flatMap((id) => [
    { title: `the id ${id} without a key`, method: 'GET', path: `/v1/memories/${id}` },
    { title: `the id ${id} with an unknown key`, method: 'GET', path: `/v1/memories/${id}`, headers: unknownKey() },
  ]),
  ...Object.entries(edgeCases)
    .filter(([name]) => /^id|^sameStart/.test(name))
    .map(([name, { id }]) => ({
      ...{ title: `the id of ${name}, of another account`, method: 'GET', headers },
      path: `/v1/memories/${encodeURIComponent(id)}`,
    })),
];

function casesOf(what: string, segments: Record<string, string>) {
  return Object.entries(segments).map(([title, segment]) => ({
    ...{ title: `${what}: ${title}`, method: 'GET', path: `/v1/memories/${segment}`, headers },
  }));
}

function percentEncoded(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function unknownKey() {
  return [['X-API-Key', 'key-of-nobody']] as const;
}
