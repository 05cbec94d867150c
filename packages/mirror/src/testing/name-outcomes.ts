import { choicesOf } from '@memory-read/test-kit/random';
import { resolveNames } from '../people/resolve-names.ts';
import { saidOf } from '../people/said.ts';
import { processAgain } from './processed-again.ts';

/** What became of the names of a scenario, in percent of the names. */
export interface NameOutcomes {
  /** The person spoke at least half of the time of the label that has the name. */
  right: number;
  /** Other people spoke more than half of it. */
  wrong: number;
  doubtful: number;
  /** Names that stood at a voice of at least 0.8 when they were given, and now stand at less of it. */
  diluted: number;
  /** Names that would be wrong if they stayed at their label. */
  wrongByLabel: number;
}

/**
 * Names speakers of the first version of each memory, and follows them into each later one.
 *
 * A person is the voice that speaks most under the label that is named, as a listener hears it.
 * What is right is measured with the true voices of the new version, not with its times.
 */
export function nameOutcomes(scenario: string, memories: number): NameOutcomes {
  const counts = { right: 0, wrong: 0, doubtful: 0, diluted: 0, wrongByLabel: 0 };
  let all = 0;
  for (let index = 0; index < memories; index += 1) {
    const [seen, ...later] = processAgain(scenario, index);
    if (seen === undefined) continue;
    const random = choicesOf(`named in ${scenario} ${index}`);
    const said = saidOf(seen);
    const names = [...seen.voices].flatMap(([label, times]) => {
      const person = times.reduce((most, time, voice) => (time > (times[most] ?? 0) ? voice : most), 0);
      return random.isTrue(0.8) ? [{ label, said: said.get(label) ?? '', person, seen }] : [];
    });
    for (const memory of later) {
      for (const [at, name] of resolveNames(names, memory).entries()) {
        const { label = '', person = 0 } = names[at] ?? {};
        all += 1;
        const stayed = shareOf(memory.voices.get(label), person);
        if (stayed !== undefined && stayed < 0.5) counts.wrongByLabel += 1;
        const share = name.state === 'certain' ? (shareOf(memory.voices.get(name.label), person) ?? 0) : undefined;
        counts[share === undefined ? 'doubtful' : share < 0.5 ? 'wrong' : 'right'] += 1;
        if (share !== undefined && share < 0.8 && (shareOf(seen.voices.get(label), person) ?? 0) >= 0.8) {
          counts.diluted += 1;
        }
      }
    }
  }
  const percent = (count: number) => Math.round((10_000 * count) / all) / 100;
  const { right, wrong, doubtful, diluted, wrongByLabel } = counts;
  return {
    right: percent(right),
    wrong: percent(wrong),
    doubtful: percent(doubtful),
    diluted: percent(diluted),
    wrongByLabel: percent(wrongByLabel),
  };
}

/** Returns which part of the time of a label is that of a voice; undefined if the version does not have the label. */
function shareOf(times: readonly number[] | undefined, voice: number): number | undefined {
  return times && (times[voice] ?? 0) / times.reduce((sum, time) => sum + time, 0);
}
