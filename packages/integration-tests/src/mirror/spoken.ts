import { createHash } from 'node:crypto';

/** A segment, with its times in whole seconds from the start of the memory. */
export type Row = readonly [label: string, from: number, to: number, text: string];

/** A transcript; null for a memory without one. */
export type Spoken = readonly Row[] | null;

/** Start of all memories, to which the times of segments are relative. */
export const START = Date.parse('2026-08-20T10:00:00.000Z');

/** Returns the labels, in the order of the segments. */
export function labelsOf(spoken: Spoken): string[] {
  return [...new Set(spoken?.map(([label]) => label))];
}

export function hasWords(spoken: Spoken): boolean {
  return spoken?.some(([, , , text]) => /[a-z]/.test(text)) ?? false;
}

/** Returns the digest of what a label says: its times and texts, and the label too if another one says the same. */
export function saidBy(spoken: Spoken, label: string): string {
  const rowsOf = (wanted: string) =>
    (spoken ?? [])
      .filter(([each]) => each === wanted)
      .map(([, from, to, text]) => [START + from * 1_000, START + to * 1_000, text]);
  const rows = JSON.stringify(rowsOf(label));
  const isShared = labelsOf(spoken).some((other) => other !== label && JSON.stringify(rowsOf(other)) === rows);
  return digest(isShared ? JSON.stringify([label, rowsOf(label)]) : rows);
}

function digest(said: string): string {
  return `sha256-${createHash('sha256').update(said).digest('base64url')}`;
}

/** The names of the test have only capitals and accents to fold. */
export function foldName(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** What becomes of an old speaker in a version. */
interface Candidate {
  /** The label that can have the name. */
  label: string | null;
  likely: string | null;
  isExact: boolean;
  /** Digests of other old speakers who could have the label too. */
  others: string[];
}

/** Returns the label of a version that can have the name of an old speaker, and the likely one, by counting seconds. */
export function candidateOf(said: string, then: Spoken | undefined, now: Spoken): Candidate {
  const exact = labelsOf(now).find((label) => saidBy(now, label) === said);
  if (exact !== undefined) return { label: exact, likely: exact, isExact: true, others: [] };
  const oldLabel = labelsOf(then ?? null).find((label) => saidBy(then ?? null, label) === said);
  if (then === undefined || oldLabel === undefined) return { label: null, likely: null, isExact: false, others: [] };
  const old = secondsOf(then, oldLabel);
  const likely = labelsOf(now).filter((label) => both(old, secondsOf(now, label)) * 2 > old.size);
  const fits = labelsOf(now).filter((label) => isFit(then, oldLabel, now, label));
  const [first] = fits;
  const isOther = first !== undefined && ![undefined, oldLabel].includes(oldSpeakerOf(then, now, first));
  const isCovered = both(old, secondsOf(now)) * 2 >= old.size;
  const label = first !== undefined && fits.length === 1 && isCovered && !isOther ? first : null;
  const others = labelsOf(then).filter(
    (other) => other !== oldLabel && label !== null && isFit(then, other, now, label),
  );
  return {
    ...{ label, likely: likely.length === 1 ? (likely[0] ?? null) : null, isExact: false },
    others: others.map((other) => saidBy(then, other)),
  };
}

/** Returns whether an old label and one of now speak together for 0.8 of the time of each in which somebody speaks in the other version. */
function isFit(then: Spoken, oldLabel: string, now: Spoken, label: string): boolean {
  const [old, fresh] = [secondsOf(then, oldLabel), secondsOf(now, label)];
  const shared = both(old, fresh) * 10;
  return shared >= both(old, secondsOf(now)) * 8 && shared >= both(fresh, secondsOf(then)) * 8;
}

/** Returns the old label that said the texts of a label for more than half of its time, and that no other label said. */
function oldSpeakerOf(then: Spoken, now: Spoken, label: string): string | undefined {
  const rows = (now ?? []).filter(([each]) => each === label);
  const lengthOf = (wanted: readonly Row[]) => wanted.reduce((length, [, from, to]) => length + to - from, 0);
  return labelsOf(then).find((old) => {
    const isSaid = ([, , , text]: Row) => {
      const speakers = labelsOf(then?.filter((row) => row[3] === text) ?? null);
      return speakers.length === 1 && speakers[0] === old;
    };
    return lengthOf(rows.filter(isSaid)) * 2 > lengthOf(rows);
  });
}

/** Returns the seconds in which a label speaks. Default: any label. */
function secondsOf(spoken: Spoken, label?: string): Set<number> {
  const rows = (spoken ?? []).filter(([each]) => label === undefined || each === label);
  return new Set(rows.flatMap(([, from, to]) => Array.from({ length: to - from }, (_second, index) => from + index)));
}

function both(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  return [...one].filter((second) => other.has(second)).length;
}
