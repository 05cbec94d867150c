import type { Segment } from '@memory-read/client';
import { type Choices, choicesOf } from '@memory-read/test-kit/random';
import type { Spoken } from '../people/said.ts';

/** A version of a transcript, whose true voices are known. */
export interface HeardVersion extends Spoken {
  /** Milliseconds of each voice by label, in the order of first speech. */
  voices: ReadonlyMap<string, readonly number[]>;
}

/** A turn as it was spoken. */
interface Turn {
  voice: number;
  start: number;
  end: number;
  text: string;
}

/** Errors of a diarisation: shares of turns at a wrong label, and the largest error of a bound in milliseconds. */
interface Noise {
  short: number;
  long: number;
  bounds: number;
}

/** Makes the versions of a memory: the one that a person names, and later ones. */
type Scenario = (turns: readonly Turn[], random: Choices) => HeardVersion[];

const SHORT = 2_000;
const still: Noise = { short: 0, long: 0, bounds: 0 };
const usual: Noise = { short: 0.1, long: 0, bounds: 300 };

/** What can happen to the transcript of a memory that is processed again. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'same audio, other noise': (turns, random) => [
    diarise(turns, random, { noise: usual }),
    diarise(turns, random, { noise: usual }),
  ],
  noisier: (turns, random) => {
    const noise = { short: 0.25, long: 0.03, bounds: 500 };
    return [diarise(turns, random, { noise }), diarise(turns, random, { noise })];
  },
  'two voices merged': (turns, random) => [
    diarise(turns, random, { noise: usual }),
    diarise(turns, random, { noise: usual, clusterOf: ({ voice }) => Math.max(1, voice) }),
  ],
  'one voice split': (turns, random) => [
    diarise(turns, random, { noise: usual }),
    diarise(turns, random, {
      noise: usual,
      clusterOf: ({ voice }) => (voice === 0 && random.isTrue(0.5) ? -1 : voice),
    }),
  ],
  'moved by 20 s': (turns, random) => [
    diarise(turns, random, { noise: still }),
    diarise(turns, random, { noise: still, shift: random.pick([-20_000, 20_000]) }),
  ],
  'random labels': (turns, random) => [
    diarise(turns, random, { noise: usual }),
    diarise(turns, random, { noise: usual, clusterOf: () => random.whole(0, countVoices(turns) - 1) }),
  ],
  'labels permuted': (turns, random) => {
    const seen = diarise(turns, random, { noise: usual });
    return [seen, relabel(seen, random)];
  },
  'texts corrected': (turns, random) => {
    const seen = diarise(turns, random, { noise: usual });
    const segments = segmentsOf(seen).map((segment) => ({ ...segment, text: `${segment.text}!` }));
    return [seen, relabel({ ...seen, transcript: { segments } }, random)];
  },
  'small changes that add up': (turns, random) => {
    const versions = [diarise(turns, random, { noise: still })];
    let clusters: Turn[] = turns.map((turn) => ({ ...turn }));
    for (let version = 1; version <= 8; version += 1) {
      clusters = clusters.map((turn) =>
        random.isTrue(0.06) ? { ...turn, voice: random.whole(0, countVoices(turns) - 1) } : turn,
      );
      const clusterOf = (_: Turn, index: number) => clusters[index]?.voice ?? 0;
      versions.push(diarise(turns, random, { noise: { ...still, bounds: 100 }, clusterOf }));
    }
    return versions;
  },
};

/** Returns the versions of a memory of a scenario. */
export function processAgain(scenario: string, index: number): HeardVersion[] {
  const random = choicesOf(`${scenario} ${index}`);
  return scenarios[scenario]?.(speak(random), random) ?? [];
}

/** A third of the memories have few turns, in which a wrong name is likelier. */
function speak(random: Choices): Turn[] {
  const voices = random.whole(2, 6);
  const shares = Array.from({ length: voices }, () => random.whole(1, 8));
  const all = shares.flatMap((share, voice) => Array<number>(share).fill(voice));
  const turns: Turn[] = [];
  for (let left = random.isTrue(0.3) ? random.whole(2, 9) : random.whole(10, 120); left > 0; left -= 1) {
    const last = turns.at(-1);
    const start = Math.max(last?.start ?? 0, (last?.end ?? 0) + random.whole(-500, 1_500));
    const length = random.isTrue(0.6) ? random.whole(400, SHORT) : random.whole(3_000, 25_000);
    const voice = random.pick(all.filter((other) => other !== last?.voice));
    turns.push({ voice, start, end: start + length, text: `turn ${turns.length}` });
  }
  return turns;
}

function countVoices(turns: readonly Turn[]): number {
  return Math.max(2, new Set(turns.map(({ voice }) => voice)).size);
}

/** Returns what a diarisation makes of the turns. Labels are numbered in the order of first speech, as servers do it. */
function diarise(
  turns: readonly Turn[],
  random: Choices,
  how: { noise: Noise; clusterOf?: (turn: Turn, index: number) => number; shift?: number },
): HeardVersion {
  const { noise, clusterOf = ({ voice }) => voice, shift = 0 } = how;
  const clusters = turns.map(clusterOf);
  const numbers = new Map<number, number>();
  const error = () => random.whole(-noise.bounds, noise.bounds);
  const segments = turns.map(({ start, end, text }, index): Segment => {
    const isWrong = random.isTrue(end - start <= SHORT ? noise.short : noise.long);
    const cluster = isWrong ? random.pick(clusters) : (clusters[index] ?? 0);
    if (!numbers.has(cluster)) numbers.set(cluster, numbers.size + 1);
    const [from, to] = [start + shift + error(), end + shift + error()];
    return { speaker: `Speaker ${numbers.get(cluster)}`, start_at: at(from), end_at: at(Math.max(from, to)), text };
  });
  return heard(segments, turns);
}

function heard(segments: Segment[], turns: readonly Turn[]): HeardVersion {
  const voices = new Map<string, number[]>();
  for (const [index, { voice, start, end }] of turns.entries()) {
    const label = segments[index]?.speaker ?? '';
    const times = voices.get(label) ?? [];
    times[voice] = (times[voice] ?? 0) + end - start;
    voices.set(label, times);
  }
  return { transcript: { segments }, voices };
}

function segmentsOf({ transcript }: Spoken): readonly Segment[] {
  return transcript?.segments ?? [];
}

/** Returns the version with other labels, of which none stays where it was if there are several. */
function relabel(version: HeardVersion, random: Choices): HeardVersion {
  const labels = [...version.voices.keys()];
  const step = random.whole(1, Math.max(1, labels.length - 1));
  const nameOf = new Map(labels.map((label, index) => [label, labels[(index + step) % labels.length] ?? label]));
  const segments = segmentsOf(version).map((segment) => ({
    ...segment,
    speaker: nameOf.get(segment.speaker) ?? segment.speaker,
  }));
  const voices = new Map(Array.from(version.voices, ([label, times]) => [nameOf.get(label) ?? label, times]));
  return { transcript: { segments }, voices };
}

function at(time: number): string {
  return new Date(Date.UTC(2026, 2, 1, 9) + time).toISOString();
}
