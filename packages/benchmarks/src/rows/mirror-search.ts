import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openMirror } from '@memory-read/mirror';
import { exactly, type Finding, type Means, type Row } from '../measurement/row.ts';
import { type Contender, runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, percentile } from '../measurement/statistics.ts';
import { time } from '../measurement/time.ts';
import { spokenAccount, usualPhrase, usualWords } from '../memories/spoken-memories.ts';
import { fillRankedSearch } from '../peers/ranked-search.ts';

const [usual] = usualWords;
const kinds = [
  { what: 'A word in half of the turns', query: usual, peer: usual },
  { what: 'Two words', query: usualWords.slice(0, 2).join(' '), peer: usualWords.slice(0, 2).join(' ') },
  { what: 'Six words', query: usualWords.join(' '), peer: usualWords.join(' ') },
  { what: 'A beginning of words', query: 'bab*', peer: 'bab*' },
  { what: 'A phrase of three words', query: `"${usualPhrase}"`, peer: `"${usualPhrase}"` },
  { what: 'One Japanese character', query: '京', peer: undefined },
] as const;

export const mirrorSearch: Row = {
  id: 'mirror-search',
  title: 'Mirror: the first page of a search',
  method:
    'The same segments are in many memories and in few. A search returns the newest 20 hits with their snippets and highlights. The result is the time below which 95 % of the searches are. The peer is an FTS5 table with a row for each turn, ordered by `rank`: it returns 20 rows without highlights. Both run in turn, in one process.',
  async measure(means) {
    const { mirroredSegments } = means.sizes;
    const findings = [
      ...(await measureSearches(means, mirroredSegments / 50)),
      ...(await measureSearches(means, Math.max(1, mirroredSegments / 5_000))),
    ];
    return {
      findings,
      notes: [
        `${mirroredSegments.toLocaleString('en')} segments. FTS5 with its own tokens cannot find one Japanese character in a sentence.`,
      ],
      explanation: 'The time of a phrase or of six words grows with the number of turns that FTS5 has to pass.',
    };
  },
};

async function measureSearches({ folder, sizes }: Means, memories: number): Promise<Finding[]> {
  const account = spokenAccount(sizes.mirroredSegments, memories);
  const place = join(folder, `search-${memories}`);
  mkdirSync(place);
  const mirror = await openMirror({ folder: place });
  await mirror.sync(account.client());
  const ranked = fillRankedSearch(join(place, 'ranked.sqlite'), account.memories);
  const findings: Finding[] = [];
  for (const { what, query, peer } of kinds) {
    const ours = () => time(() => mirror.search(query));
    const theirs = () => time(() => ranked.search(peer ?? ''));
    const contenders: Record<string, Contender> = peer === undefined ? { ours } : { ours, theirs };
    const { ours: own = [], theirs: others } = await runRounds(sizes.searches, contenders);
    const label = `${what}, ${memories.toLocaleString('en')} ${memories === 1 ? 'memory' : 'memories'}`;
    findings.push({ what: label, value: exactly(percentile(own, 0.95)), unit: 'ms', goal: { atMost: 50 } });
    if (others === undefined) continue;
    findings.push({
      what: `${label}: against FTS5 \`rank\``,
      value: pairedRatio(own, others),
      unit: '×',
    });
  }
  ranked.close();
  await mirror.close();
  return findings;
}
