import type { Memory } from '@memory-read/client';
import type { HitKind } from '../search/search-types.ts';

/** A query in its parts, without a syntax. */
export interface PlainQuery {
  terms: readonly PlainTerm[];
  without: readonly PlainTerm[];
  speakers: readonly string[];
  withoutSpeakers: readonly string[];
  kinds: readonly HitKind[];
}

/** A word, a phrase or the beginning of a word. */
export interface PlainTerm {
  text: string;
  isPrefix: boolean;
}

/** A unit that a plain scan finds. */
export interface PlainHit {
  memory: Memory;
  kind: HitKind;
  speaker: string | null;
  text: string;
  /** Indexes of the smallest runs of segments that contain all terms. Empty if the hit is not in the transcript. */
  runs: [first: number, last: number][];
  /** Highlighted parts of the whole text. */
  highlights: [start: number, end: number][];
}

interface Item {
  text: string;
  isCharacter: boolean;
  /** Whether it follows another character of a script without spaces, with nothing between them. */
  isJoined: boolean;
  start: number;
  end: number;
}

interface PlainUnit {
  kind: HitKind;
  speaker: string | null;
  text: string;
  segments: { index: number; start: number; end: number }[];
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const part = /[\p{L}\p{M}\p{N}]/u;
const unspaced = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const accent = /(?![\u3099\u309a])\p{Mn}/u;
const accentedScript = /[\p{sc=Inherited}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}]/u;
const ignored = new Set(['\u0640', '\u00ad']);

/** Returns the hits of a memory by the rules of the search, in order. It reads all texts instead of an index. */
export function plainScan(memory: Memory, query: PlainQuery): PlainHit[] {
  const terms = query.terms.filter(({ text }) => itemsOf(text).length > 0);
  const without = query.without.filter(({ text }) => itemsOf(text).length > 0);
  if (terms.length === 0 && query.speakers.length === 0) return [];
  return plainUnits(memory).flatMap((unit) => {
    const items = itemsOf(unit.text);
    const found = terms.map((term) => occurrences(items, term));
    const isHit =
      items.length > 0 &&
      query.kinds.includes(unit.kind) &&
      found.every((places) => places.length > 0) &&
      without.every((term) => occurrences(items, term).length === 0) &&
      query.speakers.every((speaker) => isSpeaker(unit, speaker)) &&
      !query.withoutSpeakers.some((speaker) => isSpeaker(unit, speaker));
    if (!isHit) return [];
    const { kind, speaker, text, segments } = unit;
    return [{ memory, kind, speaker, text, runs: smallestRuns(segments, found), highlights: merged(found.flat()) }];
  });
}

function isSpeaker({ speaker }: PlainUnit, wanted: string): boolean {
  const folded = (label: string) =>
    itemsOf(label)
      .map(({ text }) => text)
      .join(' ');
  return speaker !== null && folded(speaker) === folded(wanted);
}

function plainUnits({ name, summary, transcript }: Memory): PlainUnit[] {
  const units: PlainUnit[] = [{ kind: 'name', speaker: null, text: name, segments: [] }];
  if (summary !== null) {
    units.push({ kind: 'summary', speaker: null, text: summary.quick_summary, segments: [] });
    for (const text of summary.key_takeaways) units.push({ kind: 'takeaway', speaker: null, text, segments: [] });
  }
  let turn: PlainUnit | undefined;
  for (const [index, { speaker, text }] of transcript?.segments.entries() ?? []) {
    if (turn === undefined || turn.speaker !== speaker || turn.segments.length === 64) {
      turn = { kind: 'transcript', speaker, text: '', segments: [] };
      units.push(turn);
    } else if (!(isUnspacedText([...turn.text].at(-1)) && isUnspacedText([...text].at(0)))) turn.text += ' ';
    turn.segments.push({ index, start: turn.text.length, end: turn.text.length + text.length });
    turn.text += text;
  }
  return units;
}

function isUnspacedText(character = ''): boolean {
  return unspaced.test(character) && !/\p{sc=Hang}/u.test(character);
}

const known = new Map<string, readonly Item[]>();

/** Returns the words of a text, and each character of scripts without spaces. */
function itemsOf(text: string): readonly Item[] {
  const items = known.get(text) ?? readItems(text);
  known.set(text, items);
  return items;
}

function readItems(text: string): Item[] {
  const items: Item[] = [];
  let before: 'word' | 'character' | undefined;
  for (const { segment, index } of charactersOf(text)) {
    const end = index + segment.length;
    for (const character of foldGrapheme(segment)) {
      const last = items.at(-1);
      if (!part.test(character)) before = undefined;
      else if (unspaced.test(character)) {
        items.push({ text: character, isCharacter: true, isJoined: before === 'character', start: index, end });
        before = 'character';
      } else if (before === 'word' && last !== undefined) {
        last.text += character;
        last.end = end;
      } else {
        items.push({ text: character, isCharacter: false, isJoined: false, start: index, end });
        before = 'word';
      }
    }
  }
  return items;
}

/** A mark belongs to the letter before it, even if Unicode counts it as a separate character, as some in Myanmar. */
function charactersOf(text: string): { segment: string; index: number }[] {
  const characters: { segment: string; index: number }[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    const last = characters.at(-1);
    if (last !== undefined && /^\p{M}/u.test(segment)) last.segment += segment;
    else characters.push({ segment, index });
  }
  return characters;
}

function foldGrapheme(grapheme: string): string {
  const lower = grapheme.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  const kept = [...lower.normalize('NFD')].filter(
    (character) => !(accent.test(character) && accentedScript.test(character)) && !ignored.has(character),
  );
  return kept.join('').normalize('NFKC');
}

function occurrences(items: readonly Item[], { text, isPrefix }: PlainTerm): { start: number; end: number }[] {
  const wanted = itemsOf(text);
  return items.flatMap((_item, at) => {
    const here = items.slice(at, at + wanted.length);
    const matches = wanted.every((item, step) => {
      const found = here[step];
      if (found === undefined || found.isCharacter !== item.isCharacter) return false;
      if (step > 0 && found.isJoined !== item.isJoined) return false;
      return isPrefix && step === wanted.length - 1 ? found.text.startsWith(item.text) : found.text === item.text;
    });
    return matches ? [{ start: here[0]?.start ?? 0, end: here.at(-1)?.end ?? 0 }] : [];
  });
}

function smallestRuns(
  segments: PlainUnit['segments'],
  found: readonly (readonly { start: number; end: number }[])[],
): [number, number][] {
  if (segments.length === 0) return [];
  if (found.length === 0) return [[segments[0]?.index ?? 0, segments.at(-1)?.index ?? 0]];
  for (let size = 1; ; size += 1) {
    const runs = segments.slice(0, segments.length - size + 1).flatMap((first, at): [number, number][] => {
      const last = segments[at + size - 1] ?? first;
      const isInside = (place: { start: number; end: number }) => place.start >= first.start && place.end <= last.end;
      return found.every((places) => places.some(isInside)) ? [[first.index, last.index]] : [];
    });
    if (runs.length > 0) return runs;
  }
}

function merged(places: readonly { start: number; end: number }[]): [number, number][] {
  const units = new Set<number>();
  for (const { start, end } of places) for (let unit = start; unit < end; unit += 1) units.add(unit);
  const highlights: [number, number][] = [];
  for (const unit of [...units].sort((one, other) => one - other)) {
    const last = highlights.at(-1);
    if (last?.[1] === unit) last[1] += 1;
    else highlights.push([unit, unit + 1]);
  }
  return highlights;
}
