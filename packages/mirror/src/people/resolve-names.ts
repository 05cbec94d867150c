import { type Spoken, saidOf } from './said.ts';
import { lengthOf, type SpeakingTimes, sameTexts, sharedTime, speakingTimes } from './speaking-time.ts';

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
    if (label !== undefined) return { label, likely: label, isExact: true };
    if (seen === undefined) return { label: null, likely: null, isExact: false };
    const compare = comparisons.get(seen) ?? comparison(speechOf(seen), now);
    comparisons.set(seen, compare);
    return { ...compare(said), isExact: false };
  });
  const peopleOf = new Map<string | null, Set<number>>();
  for (const [index, { person }] of names.entries()) {
    const label = found[index]?.label ?? null;
    peopleOf.set(label, (peopleOf.get(label) ?? new Set()).add(person));
  }
  return found.map(({ label, likely, isExact }) => {
    const isCertain = label !== null && (isExact || peopleOf.get(label)?.size === 1);
    return isCertain ? { state: 'certain', label } : { state: 'doubtful', label: likely };
  });
}

interface Found {
  /** The only label that can have the name; null if no label can, or several can. */
  label: string | null;
  /** The label with more than half of the time of the old speaker. */
  likely: string | null;
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

type Comparison = (said: string) => Pick<Found, 'label' | 'likely'>;

/** Returns a function that compares an old speaker with those of now. */
function comparison(then: Speech, now: Speech): Comparison {
  const oldSpeakerOf = sameTexts(then.times, now.times);
  return (said) => {
    const oldLabel = then.labelOf.get(said);
    const old = oldLabel === undefined ? undefined : then.times.byLabel.get(oldLabel);
    if (old === undefined) return { label: null, likely: null };
    const length = lengthOf(old);
    const common = sharedTime(old, now.times.all);
    const same: (string | null)[] = [];
    let likely: string | null = null;
    let most = length / 2;
    for (const [label, times] of now.times.byLabel) {
      const shared = sharedTime(old, times);
      if (shared > most) [likely, most] = [label, shared];
      if (5 * shared < 4 * common || 5 * shared < 4 * sharedTime(times, then.times.all)) continue;
      // The texts say that it is another old speaker.
      same.push((oldSpeakerOf.get(label) ?? oldLabel) === oldLabel ? label : null);
    }
    const [label = null] = 2 * common >= length && same.length === 1 ? same : [];
    return { label, likely };
  };
}
