import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Memory } from '@memory-read/contract';
import { type Mirror, openMirror } from '@memory-read/mirror';
import { type Curve, exactly, type Finding, type Means, type Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, percentile } from '../measurement/statistics.ts';
import { time } from '../measurement/time.ts';
import { spokenAccount, usualPhrase, usualWords } from '../memories/spoken-memories.ts';
import { keepJson } from '../peers/search/json-loop.ts';
import { fillMiniSearch } from '../peers/search/mini-search.ts';
import { fillRankedSearch } from '../peers/search/ranked-search.ts';
import type { SearchPeer } from '../peers/search/search-peer.ts';

interface Kind {
  what: string;
  query: string;
  /** Only a mirror and a loop find it, because the character has no spaces around it. */
  isInsideWord?: boolean;
}

const [usual] = usualWords;
const kinds: readonly Kind[] = [
  { what: 'A word in half of the turns', query: usual },
  { what: 'Two words', query: usualWords.slice(0, 2).join(' ') },
  { what: 'Six words', query: usualWords.join(' ') },
  { what: 'A prefix of words', query: 'bab*' },
  { what: 'A phrase of three words', query: `"${usualPhrase}"` },
  { what: 'One Japanese character', query: '京', isInsideWord: true },
];

export const mirrorSearch: Row = {
  id: 'mirror-search',
  title: 'Mirror: the first page of a search',
  method:
    'The same segments are in many memories and in few. A search returns the newest 20 hits with their snippets and highlights. The result is the time within which 95 % of the searches end. Three peers have a document for each turn, find the same number of hits, and return 20 without highlights. An FTS5 table orders them by `rank`. MiniSearch holds its index in memory, and orders them by relevance. A loop holds the JSON of each memory in memory. It parses memories, newest first, until it has 20 hits. All run in turn, in one process.',
  async measure(means) {
    const { mirroredSegments } = means.sizes;
    const findings = [
      ...(await measureSearches(means, mirroredSegments / 50)),
      ...(await measureSearches(means, Math.max(1, mirroredSegments / 5_000))),
    ];
    return {
      findings,
      curves: [await sizeCurve(means)],
      notes: [
        `${mirroredSegments.toLocaleString('en')} segments. FTS5 and MiniSearch with their own tokens cannot find one Japanese character in a sentence. The rare words are in the oldest memory, so the loop parses all memories.`,
      ],
      explanation: 'FTS5 has to read more turns for a phrase or for six words, so these searches take longer.',
    };
  },
};

async function measureSearches({ folder, sizes }: Means, memories: number): Promise<Finding[]> {
  const account = spokenAccount(sizes.mirroredSegments, memories);
  const place = join(folder, `search-${memories}`);
  mkdirSync(place);
  const mirror = await openMirror({ folder: place });
  await mirror.sync(account.client());
  const loop = keepJson(account.memories);
  const ranked = fillRankedSearch(join(place, 'ranked.sqlite'), account.memories);
  const mini = fillMiniSearch(account.memories);
  const findings: Finding[] = [];
  for (const { what, query, isInsideWord } of [...kinds, rareWords(account.memories)]) {
    const label = `${what}, ${memories.toLocaleString('en')} ${memories === 1 ? 'memory' : 'memories'}`;
    const { searches } = await runRounds(sizes.searches, { searches: () => time(() => mirror.search(query)) });
    findings.push({ what: label, value: exactly(percentile(searches, 0.95)), unit: 'ms', goal: { atMost: 50 } });
    const peers = {
      ...(!isInsideWord && { 'FTS5 `rank`': ranked, MiniSearch: mini }),
      'a loop over JSON': loop,
    };
    for (const [name, value] of await compare({ mirror, peers, query, rounds: sizes.longRounds })) {
      findings.push({ what: `${label}: against ${name}`, value, unit: '×' });
    }
  }
  for (const peer of [loop, ranked, mini]) peer.close();
  await mirror.close();
  return findings;
}

/** Median time of searches by the size of the mirror. */
async function sizeCurve({ folder, sizes }: Means): Promise<Curve> {
  const searched = [kinds[0], kinds[1], kinds[4]].filter((kind) => kind !== undefined);
  const series = searched.map(({ what }) => ({ name: what, points: [] as [number, number][] }));
  for (let segments = sizes.mirroredSegments / 1_000; segments <= sizes.mirroredSegments; segments *= 10) {
    const place = join(folder, `search-curve-${segments}`);
    mkdirSync(place);
    const mirror = await openMirror({ folder: place });
    await mirror.sync(spokenAccount(segments, Math.max(1, segments / 50)).client());
    for (const [index, { query }] of searched.entries()) {
      const { times } = await runRounds(sizes.searches, { times: () => time(() => mirror.search(query)) });
      series[index]?.points.push([segments, percentile(times, 0.5)]);
    }
    await mirror.close();
  }
  return {
    id: 'mirror-size',
    title: 'Time of a search by the size of the mirror',
    xLabel: 'segments',
    yLabel: 'milliseconds',
    series,
  };
}

/** Two words in one turn of the oldest memory. */
function rareWords([oldest]: readonly Memory[]): Kind {
  const [segment] = oldest?.transcript?.segments ?? [];
  return { what: 'Two rare words', query: (segment?.text ?? '').split(' ').slice(0, 2).join(' ') };
}

interface Comparison {
  mirror: Mirror;
  peers: Record<string, SearchPeer>;
  query: string;
  rounds: number;
}

/** @throws Error if a peer finds another number of hits, because its work would then differ. */
async function compare({ mirror, peers, query, rounds }: Comparison) {
  const { hits } = await mirror.search(query);
  const contenders = Object.entries(peers).map(([name, peer]) => {
    const found = peer.search(query).length;
    if (found === hits.length && found > 0) return [name, () => time(() => peer.search(query))] as const;
    throw new Error(
      `Failed to compare searches for ${query}: ${name} has ${found} hits, the mirror ${hits.length}. Make them equal.`,
    );
  });
  const ours = () => time(() => mirror.search(query));
  const { ours: own = [], ...others } = await runRounds<string>(rounds, { ours, ...Object.fromEntries(contenders) });
  return Object.entries(others).map(([name, times]) => [name, pairedRatio(own, times)] as const);
}
