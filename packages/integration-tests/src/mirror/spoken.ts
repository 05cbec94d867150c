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

/** Returns the label of a version that can have the name of an old speaker, and the likely one, by counting seconds. */
export function candidateOf(said: string, then: Spoken | undefined, now: Spoken) {
  const exact = labelsOf(now).find((label) => saidBy(now, label) === said);
  if (exact !== undefined) return { label: exact, likely: exact, isExact: true };
  const none = { label: null, likely: null, isExact: false };
  if (then === undefined) return none;
  const old = secondsOf(then, ([label]) => saidBy(then, label) === said);
  const common = both(old, secondsOf(now));
  const found = labelsOf(now).map((label) => {
    const seconds = secondsOf(now, ([each]) => each === label);
    const own = both(seconds, secondsOf(then));
    return { label, shared: both(old, seconds), own };
  });
  const likely = found
    .filter(({ shared }) => shared > old.size / 2)
    .reduce<{ label: string | null; shared: number }>((most, each) => (each.shared > most.shared ? each : most), {
      label: null,
      shared: 0,
    });
  const fits = found.filter(({ shared, own }) => shared > 0 && shared * 10 >= common * 8 && shared * 10 >= own * 8);
  const [first] = fits;
  const oldLabel = labelsOf(then).find((label) => saidBy(then, label) === said);
  const isOther = first !== undefined && ![undefined, oldLabel].includes(oldSpeakerOf(then, now, first.label));
  const isCertain = fits.length === 1 && !isOther && common * 2 >= old.size;
  return { label: isCertain && first ? first.label : null, likely: likely.label, isExact: false };
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

function secondsOf(spoken: Spoken, isWanted: (row: Row) => boolean = () => true): Set<number> {
  const rows = (spoken ?? []).filter(isWanted);
  return new Set(rows.flatMap(([, from, to]) => Array.from({ length: to - from }, (_second, index) => from + index)));
}

function both(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  return [...one].filter((second) => other.has(second)).length;
}
