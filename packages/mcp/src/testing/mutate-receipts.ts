import type { Memory } from '@memory-read/client';
import { visibleText } from '@memory-read/contract/visible-text';
import { createReceipt } from '../receipt/create-receipt.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { verifyReceipt } from '../receipt/verify-receipt.ts';
import { spokenMemory } from './spoken-memory.ts';

type Random = (below: number) => number;
type Mutation = (receipt: Receipt, memory: Memory, random: Random) => unknown;

const speakers = ['Speaker 1', 'Speaker 2', 'Speaker 3'];
const contractions = [
  'can’t',
  "can't",
  'can´t',
  'can`t',
  'can′t',
  'can‛t',
  'can\u02bct',
  'can\u1fbdt',
  'col·lega',
  'צה״ל',
  'א־ב',
  'non－stop',
];
const groupedNumbers = [
  '1\u00a0500',
  '20\u202f000',
  '1 500',
  "1'500",
  '1’500',
  '1٬500',
  '5٫7',
  '5·7',
  '3.5',
  '.5',
  '1\u20245',
  '1\u22365',
];
const signedNumbers = ['-5', '–500', '−7', '－7', '-$500', '$-500', '-.5', '\u22605', '< 5', '\u00b15'];
const characters = ['က္က', 'ក្កា', '\u0d4e漢', '👩🏽\u200d🚀', '🇩🇪', 'กำ'];
const words = [
  ...contractions,
  ...groupedNumbers,
  ...signedNumbers,
  ...signedNumbers.map((number) => `(${number})`),
  ...characters,
  'we',
  'agree',
  'disagree',
  'not',
  'naïve',
  '会議',
  'ผม',
  'non-stop',
  '“yes”',
  '—',
];
const hidden = [...'\u200d\u{13430}\u{1d159}\u200b\u202e\u00ad\ufe0f\u{e0041}\u2060\u0000\ufeff'];

/** Every way in which a valid receipt is falsified. */
export const mutations: Record<string, Mutation> = {
  'a word is dropped': (receipt, _, random) => withQuote(receipt, withoutWord(receipt.quote, random)),
  'a word is added': (receipt, _, random) => withQuote(receipt, insert(receipt.quote, ' not ', random)),
  'a character is replaced': (receipt, _, random) => {
    const place = random(receipt.quote.length);
    const other = receipt.quote[place] === 'x' ? 'y' : 'x';
    return { ...receipt, quote: receipt.quote.slice(0, place) + other + receipt.quote.slice(place + 1) };
  },
  'the case is another': (receipt) => ({ ...receipt, quote: swapCase(receipt.quote) }),
  'an invisible character is added': (receipt, _, random) =>
    withQuote(receipt, insert(receipt.quote, hidden[random(hidden.length)] as string, random)),
  'white space is added': (receipt, _, random) => ({
    ...receipt,
    quote: random(2) ? ` ${receipt.quote}` : `${receipt.quote} `,
  }),
  'the form of the characters is another': (receipt) => ({
    ...receipt,
    quote: `${receipt.quote.normalize('NFD')}\u0301`,
  }),
  'the place moves and the words stay': (receipt, _, random) => {
    const step = 1 + random(5);
    return { ...receipt, chars: [receipt.chars[0] + step, receipt.chars[1] + step] };
  },
  'words are split': (receipt, memory, random) => splitWord(receipt, memory, random),
  'a word is split at its apostrophe or hyphen': (receipt, memory, random) =>
    splitOneOf(contractions, { receipt, memory, random }),
  'a number is split between its groups': (receipt, memory, random) =>
    splitOneOf(groupedNumbers, { receipt, memory, random }),
  'a number loses its sign': (receipt, memory, random) => splitOneOf(signedNumbers, { receipt, memory, random }),
  'a character is split': (receipt, memory, random) => splitOneOf(characters, { receipt, memory, random }),
  'a neighbour is added to the segments': (receipt, _, random) => ({
    ...receipt,
    segments: random(2)
      ? [receipt.segments[0], receipt.segments[1] + 1]
      : [receipt.segments[0] - 1, receipt.segments[1]],
  }),
  'the segments are others': (receipt, memory, random) => {
    const step = 1 + random(memory.transcript?.segments.length ?? 1);
    return { ...receipt, segments: [receipt.segments[0] + step, receipt.segments[1] + step] };
  },
  'the speaker is another': (receipt, _, random) => ({
    ...receipt,
    speaker: speakers.filter((speaker) => speaker !== receipt.speaker)[random(2)],
  }),
  'the time is another': (receipt, _, random) => ({
    ...receipt,
    [random(2) ? 'start_ms' : 'end_ms']: random(2) ? random(5_000_000) + 0.5 : Number.NaN,
  }),
  'the memory is another': (receipt) => ({ ...receipt, memory_id: `${receipt.memory_id}x` }),
  'the version is another': (receipt) => ({ ...receipt, transcript_digest: receipt.transcript_digest.toUpperCase() }),
  'a field is missing': (receipt, _, random) => {
    const fields = Object.entries(receipt);
    fields.splice(random(fields.length), 1);
    return Object.fromEntries(fields);
  },
  'a field is inherited': (receipt) => Object.create(receipt),
  'a field has another type': (receipt, _, random) => {
    const fields = Object.keys(receipt);
    const values = [null, {}, [], true, '', [0], [0, '1'], undefined];
    const field = fields[random(fields.length)] as string;
    // The time of reading can be any text, because it is not verified.
    return { ...receipt, [field]: values[random(field === 'read_at' ? 4 : values.length)] };
  },
  'a range is none': (receipt, _, random) => ({
    ...receipt,
    [random(2) ? 'segments' : 'chars']: [
      [5, 2],
      [-1, 3],
      [0.5, 3],
      [0, Number.POSITIVE_INFINITY],
      [0, 1, 2],
    ][random(5)],
  }),
};

/** Returns the kinds of mutated receipts that were accepted as valid. */
export function acceptedMutations(count: number, seed: number): string[] {
  const random = createRandom(seed);
  const kinds = Object.entries(mutations);
  const accepted: string[] = [];
  let made = 0;
  while (made < count) {
    const memory = randomMemory(random);
    for (let round = 0; round < kinds.length * 4 && made < count; round += 1) {
      const receipt = randomReceipt(memory, random);
      if (receipt === undefined) continue;
      if (verifyReceipt(receipt, memory).status !== 'valid') accepted.push(`not valid: ${JSON.stringify(receipt)}`);
      const [kind, mutate] = kinds[made % kinds.length] as [string, Mutation];
      const mutated = mutate(receipt, memory, random);
      made += 1;
      if (verifyReceipt(mutated, memory).status === 'valid') accepted.push(`${kind}: ${JSON.stringify(mutated)}`);
    }
  }
  return accepted;
}

function randomMemory(random: Random): Memory {
  const lines = Array.from({ length: 12 }, () => {
    const said = Array.from({ length: 1 + random(8) }, () => words[random(words.length)] as string);
    return [speakers[random(random(2) + 1)] as string, said.join(random(9) ? ' ' : '  \u200b')] as const;
  });
  return spokenMemory(lines);
}

function randomReceipt(memory: Memory, random: Random): Receipt | undefined {
  const first = random(12);
  const segments: [number, number] = [first, Math.min(11, first + random(3))];
  const whole = createReceipt(memory, { segments, readAt: new Date(0) });
  if (whole === undefined || random(3) === 0) return whole;
  const start = random(whole.quote.length);
  const end = start + 1 + random(whole.quote.length - start);
  return createReceipt(memory, { segments, chars: [start, end], readAt: new Date(0) }) ?? whole;
}

/** The offsets match the words, so that only the words are wrong. */
function withQuote(receipt: Receipt, quote: string): Receipt {
  return { ...receipt, quote, chars: [receipt.chars[0], receipt.chars[0] + quote.length] };
}

function withoutWord(quote: string, random: Random): string {
  const parts = quote.split(' ');
  if (parts.length < 3) return `${quote}z`;
  // The first and the last word stay, because a shorter quote can be true.
  parts.splice(1 + random(parts.length - 2), 1);
  const shorter = parts.join(' ');
  return quote.startsWith(shorter) ? `${shorter}z` : shorter;
}

function insert(text: string, inserted: string, random: Random): string {
  const place = random(text.length + 1);
  return `${text.slice(0, place)}${inserted}${text.slice(place)}`;
}

function swapCase(text: string): string {
  const swapped = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
  return swapped === text ? `${text}X` : swapped;
}

function splitWord(receipt: Receipt, memory: Memory, random: Random): Receipt {
  const whole = createReceipt(memory, { segments: receipt.segments, readAt: new Date(0) }) ?? receipt;
  const places = [...whole.quote.matchAll(/(?<=[a-z])(?=[a-z])/g)].map(({ index }) => index);
  const place = places[random(places.length)];
  if (place === undefined) return { ...receipt, chars: [receipt.chars[0], receipt.chars[1] + 1] };
  return random(2)
    ? { ...whole, chars: [place, whole.quote.length], quote: whole.quote.slice(place) }
    : { ...whole, chars: [0, place], quote: whole.quote.slice(0, place) };
}

/** Returns the part of a segment that begins or ends inside one of these words. */
function splitOneOf(
  wholes: readonly string[],
  { receipt, memory, random }: { receipt: Receipt; memory: Memory; random: Random },
): Receipt {
  const whole = visibleText(wholes[random(wholes.length)] as string);
  const lines = memory.transcript?.segments ?? [];
  const segment = lines.findIndex(({ text }) => visibleText(text).includes(whole));
  const said = createReceipt(memory, { segments: [segment, segment], readAt: new Date(0) });
  if (said === undefined) return { ...receipt, chars: [receipt.chars[0], receipt.chars[1] + 1] };
  const place = said.quote.indexOf(whole) + 1 + random(whole.length - 1);
  return random(2)
    ? { ...said, chars: [place, said.quote.length], quote: said.quote.slice(place) }
    : { ...said, chars: [0, place], quote: said.quote.slice(0, place) };
}

function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
