import { type Spoken, saidOf } from './said.ts';
import { lengthOf, type SpeakingTimes, sameTexts, sharedTime, speakingTimes, type Times } from './speaking-time.ts';

/** A decision that names a speaker, and the version that the person saw. */
export interface NamedVersion {
  /** Digest of what the speaker said. */
  said: string;
  /** The person, as a value that equals that of no other person. */
  person: number;
  /** The version in which it was said; undefined if the mirror does not have it. */
  seen: Spoken | undefined;
}

/** What becomes of a name in another version: the speaker who has it, or for a doubtful one, the likely speaker. */
export type ResolvedName = { state: 'certain'; label: string } | { state: 'doubtful'; label: string | null };

/**
 * Returns what becomes of each name in a version.
 *
 * A name belongs to the label that says the very same, whatever it is called. Otherwise speaking time decides. The name
 * is certain if the old speaker and one label speak at the same times, and no other person is named for that label.
 */
export function resolveNames(names: readonly NamedVersion[], memory: Spoken): ResolvedName[] {
  const now = speechOf(memory);
  const comparisons = new Map<Spoken, Comparison>();
  const found = names.map(({ said, seen }): Found => {
    const label = now.labelOf.get(said);
    if (label !== undefined) return { label, likely: label, others: [], isExact: true };
    if (seen === undefined) return { ...nobody, isExact: false };
    const compare = comparisons.get(seen) ?? comparison(speechOf(seen), now);
    comparisons.set(seen, compare);
    return { ...compare(said), isExact: false };
  });
  const peopleOf = new Map<string | null, Set<number>>();
  for (const [index, { person }] of names.entries()) {
    const label = found[index]?.label ?? null;
    peopleOf.set(label, (peopleOf.get(label) ?? new Set()).add(person));
  }
  const personOf = new Map(names.map(({ said, person }) => [said, person]));
  return found.map(({ label, likely, others, isExact }, index) => {
    const isSamePerson = (said: string) => personOf.get(said) === names[index]?.person;
    const isAlone = peopleOf.get(label)?.size === 1 && others.every(isSamePerson);
    const isCertain = label !== null && (isExact || isAlone);
    return isCertain ? { state: 'certain', label } : { state: 'doubtful', label: likely };
  });
}

interface Found {
  /** The only label that can have the name; null if no label can, or several can. */
  label: string | null;
  /** The label with more than half of the time of the old speaker. */
  likely: string | null;
  /** Digests of other old speakers who speak at the times of the label, too. */
  others: readonly string[];
  /** Whether the label says the very same. */
  isExact: boolean;
}

/** What the speakers of a version say, and when. */
interface Speech {
  labelOf: ReadonlyMap<string, string>;
  times: SpeakingTimes;
}

function speechOf(version: Spoken): Speech {
  const labelOf = new Map(Array.from(saidOf(version), ([label, said]) => [said, label]));
  return { labelOf, times: speakingTimes(version) };
}

type Comparison = (said: string) => Omit<Found, 'isExact'>;

const nobody = { label: null, likely: null, others: [] };

/** Returns a function that compares an old speaker with those of now. */
function comparison(then: Speech, now: Speech): Comparison {
  const oldSpeakerOf = sameTexts(then.times, now.times);
  const [commonThen, commonNow] = [commonTimes(then.times, now.times), commonTimes(now.times, then.times)];
  const isSame = (oldLabel: string, label: string) => {
    const shared = sharedTime(timesOf(then, oldLabel), timesOf(now, label));
    return 5 * shared >= 4 * (commonThen.get(oldLabel) ?? 0) && 5 * shared >= 4 * (commonNow.get(label) ?? 0);
  };
  const othersAt = (oldLabel: string, label: string) =>
    [...then.labelOf].filter(([, other]) => other !== oldLabel && isSame(other, label)).map(([said]) => said);
  return (said) => {
    const oldLabel = then.labelOf.get(said);
    if (oldLabel === undefined || !then.times.byLabel.has(oldLabel)) return nobody;
    const old = timesOf(then, oldLabel);
    const length = lengthOf(old);
    const labels = [...now.times.byLabel.keys()];
    const [likely = null, ...alsoLikely] = labels.filter((label) => 2 * sharedTime(old, timesOf(now, label)) > length);
    const [same = null, ...alsoSame] = labels.filter((label) => isSame(oldLabel, label));
    const isCovered = 2 * (commonThen.get(oldLabel) ?? 0) >= length;
    // The texts can say that it is another old speaker.
    const isOne = isCovered && alsoSame.length === 0 && (oldSpeakerOf.get(same ?? '') ?? oldLabel) === oldLabel;
    const label = isOne ? same : null;
    const others = label === null ? [] : othersAt(oldLabel, label);
    return { label, likely: alsoLikely.length === 0 ? likely : null, others };
  };
}

function timesOf({ times }: Speech, label: string): Times {
  return times.byLabel.get(label) ?? [];
}

/** Returns how long each speaker of a version speaks while any speaker speaks in the other one. */
function commonTimes(own: SpeakingTimes, other: SpeakingTimes): Map<string, number> {
  return new Map(Array.from(own.byLabel, ([label, times]) => [label, sharedTime(times, other.all)]));
}
