import { oneOf, type Random } from '@memory-read/test-kit/random';
import { labelsOf, type Row, type Spoken } from './spoken.ts';

const LABELS = ['Speaker 1', 'Speaker 2', 'Speaker 3', '__proto__'];
const LENGTH = 40;

/** Returns a transcript: turns of a few seconds, some of them over each other. */
export function firstTranscript(random: Random): Spoken {
  if (random() < 0.1) return oneOf(random, [null, [], [['Speaker 1', 0, 9, '…']]]);
  const rows: Row[] = [];
  for (let at = 0; at < LENGTH; ) {
    const end = at + 1 + Math.floor(random() * 8);
    rows.push([oneOf(random, LABELS.slice(0, 3)), at, end, `crane ${at}`]);
    at = random() < 0.1 ? at : end + Math.floor(random() * 1.3);
  }
  return rows;
}

/** Returns what another diarisation makes of a transcript. */
export function processAgain(random: Random, spoken: Spoken): Spoken {
  const rows = spoken ?? [];
  const labels = labelsOf(rows);
  if (labels.length === 0) return firstTranscript(random);
  const [one, other] = [oneOf(random, labels), oneOf(random, LABELS)];
  const relabel = (nameOf: (row: Row) => string) => rows.map((row): Row => [nameOf(row), row[1], row[2], row[3]]);
  const shifted = LABELS.toSpliced(0, 1).concat(LABELS.slice(0, 1));
  const changes: (() => Spoken)[] = [
    // Labels mean nothing from one version to the next.
    () => relabel(([label]) => shifted[LABELS.indexOf(label)] ?? label),
    () => relabel(([label]) => (label === one ? other : label === other ? one : label)),
    // One voice gets the turns of another, or some of them.
    () => relabel(([label]) => (label === one ? other : label)),
    () => relabel(([label]) => (label === one && random() < 0.4 ? other : label)),
    () => relabel(([label]) => (random() < 0.1 ? oneOf(random, LABELS) : label)),
    // Bounds and words change.
    () => rows.map(([label, from, to, text]): Row => [label, from, Math.max(from + 1, to - 1), text]),
    () => rows.map(([label, from, to, text]): Row => [label, from + 1, to + 1, text]),
    () => rows.map(([label, from, to, text]): Row => [label, from, to, random() < 0.2 ? `${text} heron` : text]),
    () => rows.map(([label, from, to, text]): Row => [label, from + 20, to + 20, text]),
    () => oneOf(random, [null, [], [['Speaker 1', 0, 9, '…']]]),
    () => firstTranscript(random),
  ];
  return oneOf(random, changes)();
}
