import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Mirror, openMirror } from '@memory-read/mirror';
import { amount, type Finding, ratio } from '../measurement/finding.ts';
import type { Means, Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { percentile } from '../measurement/statistics.ts';
import { time } from '../measurement/time.ts';
import { spokenAccount, usualWords } from '../memories/spoken-memories.ts';

const frequent = 'Ada Lovelace';
const rare = 'Grace Hopper';
const colleague = 'Edsger Dijkstra';
const merged = 'Visitor 0';
const [word] = usualWords;

interface Kind {
  what: string;
  query: string;
  /** The query of the same words by label. */
  byLabel: string;
}

/** Each person is one label only, so that the search by label compares the same texts or more. */
const kinds: readonly Kind[] = [
  { what: 'a frequent person', query: `speaker:"${frequent}" ${word}`, byLabel: `speaker:"Speaker 1" ${word}` },
  { what: 'a rare person', query: `speaker:"${rare}" ${word}`, byLabel: `speaker:"Speaker 2" ${word}` },
  { what: 'a word of a name', query: `speaker:lovelace ${word}`, byLabel: `speaker:"Speaker 1" ${word}` },
  { what: 'a person merged from 200', query: `speaker:"${merged}" ${word}`, byLabel: `speaker:"Speaker 3" ${word}` },
  { what: 'not this person', query: `-speaker:"${frequent}" ${word}`, byLabel: `-speaker:"Speaker 1" ${word}` },
  { what: 'a person, without a word', query: `speaker:"${rare}"`, byLabel: 'speaker:"Speaker 2"' },
];

export const mirrorPeople: Row = {
  id: 'mirror-people',
  title: 'Mirror: named people',
  method:
    'A search by person is compared with the same words by label; 95 % of the searches end within the time. The two sides of an unchanged sync are one mirror, and a copy of it with names.',
  async measure(means) {
    const { mirroredSegments } = means.sizes;
    const findings = await measurePeople(means, mirroredSegments / 50);
    return { findings, notes: [`${mirroredSegments.toLocaleString('en')} segments in memories of 50.`] };
  },
};

async function measurePeople(means: Means, count: number): Promise<Finding[]> {
  const { memories, client: connect } = spokenAccount(means.sizes.mirroredSegments, count);
  const client = connect();
  // The row of searches leaves this mirror. Without that row, it is written here.
  const before = await openMirror({ folder: join(means.folder, `search-${count}`) });
  await before.sync(client);
  const copy = join(means.folder, 'people');
  mkdirSync(copy);
  await before.backup(join(copy, 'mirror.sqlite'));
  const mirror = await openMirror({ folder: copy });

  const ids = memories.map(({ id }) => id);
  const step = Math.max(1, Math.floor(count / 1_000));
  const ofFrequent = ids.filter((_, index) => index % step === 0).slice(0, 1_000);
  const few = ids.slice(-Math.min(200, count));
  const lines = [
    ...ofFrequent.map((id) => naming(id, 'Speaker 1', frequent)),
    ...few.map((id, index) => naming(id, 'Speaker 3', `Visitor ${index}`)),
    ...few.map((id) => naming(id, 'Speaker 2', colleague)),
    naming(ids[0] ?? '', 'Speaker 2', rare),
  ];
  await mirror.people.import([header, ...lines].join('\n'));
  for (let index = 1; index < few.length; index += 1) await mirror.people.merge(`Visitor ${index}`, merged);
  const { sync, usual } = await runRounds(means.sizes.rounds, {
    sync: () => time(() => mirror.sync(client)),
    usual: () => time(() => before.sync(client)),
  });
  const findings = [
    ...(await measureMerges(mirror, means, { few: few.length, many: ofFrequent.length })),
    ...(await measureSearches(mirror, means)),
    ratio('Unchanged sync, against one without names', sync, usual, { atMost: 1.1 }),
  ];
  for (const one of [mirror, before]) await one.close();
  return findings;
}

const header = '{"format":"memory-read people","version":1}';

function naming(memory: string, speaker: string, person: string): string {
  return JSON.stringify({ memory, speaker, person });
}

async function measureMerges(
  { people }: Mirror,
  { sizes }: Means,
  { few, many }: { few: number; many: number },
): Promise<Finding[]> {
  const undone: number[] = [];
  const thenUndo = async (change: () => Promise<unknown>) => {
    const taken = await time(change);
    undone.push(await time(() => people.undo()));
    return taken;
  };
  const { ofFew, ofMany, rename } = await runRounds(sizes.rounds, {
    ofFew: () => thenUndo(() => people.merge(colleague, rare)),
    ofMany: () => thenUndo(() => people.merge(frequent, rare)),
    rename: () => thenUndo(() => people.rename(frequent, 'Ada King')),
  });
  return [
    amount(`Merge of a person in ${few} memories`, 'ms', ofFew, { atMost: 300 }),
    amount(`Merge of a person in ${many.toLocaleString('en')} memories`, 'ms', ofMany, { atMost: 500 }),
    amount(`Rename of a person in ${many.toLocaleString('en')} memories`, 'ms', rename, { atMost: 500 }),
    amount('Undo of one of these', 'ms', undone, { atMost: 500 }),
  ];
}

async function measureSearches(mirror: Mirror, { sizes }: Means): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { what, query, byLabel } of kinds) {
    for (const text of [query, byLabel]) {
      if ((await mirror.search(text)).hits.length === 0)
        throw new Error(`Failed to measure ${what}: nothing is found.`);
    }
    const { ofPerson, ofLabel } = await runRounds(sizes.searches, {
      ofPerson: () => time(() => mirror.search(query)),
      ofLabel: () => time(() => mirror.search(byLabel)),
    });
    findings.push(
      amount(`Search, ${what}`, 'ms', percentile(ofPerson, 0.95), { atMost: 50 }),
      ratio(`Search, ${what}: against the same by label`, ofPerson, ofLabel, { atMost: 2 }),
    );
  }
  return findings;
}
