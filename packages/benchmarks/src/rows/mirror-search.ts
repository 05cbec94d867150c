import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Memory } from '@memory-read/contract';
import { type Mirror, openMirror } from '@memory-read/mirror';
import { amount, type Finding, ratio } from '../measurement/finding.ts';
import type { Means, Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { percentile } from '../measurement/statistics.ts';
import { time } from '../measurement/time.ts';
import { spokenAccount, usualPhrase, usualWords } from '../memories/spoken-memories.ts';
import { fillMiniSearch, fillRankedSearch, keepJson, type SearchPeer } from '../peers/search-peers.ts';

interface Kind {
  what: string;
  query: string;
  /** Only a mirror and a loop find it, because the character has no spaces around it. */
  isInsideWord?: boolean;
}

const kinds: readonly Kind[] = [
  { what: 'A word in half of the turns', query: usualWords[0] },
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
      notes: [
        `${mirroredSegments.toLocaleString('en')} segments. FTS5 and MiniSearch with their own tokens cannot find one Japanese character in a sentence. The rare words are in the oldest memory, so the loop parses all memories.`,
      ],
      explanation: 'FTS5 has to read more turns for a phrase or for six words, so these searches take longer.',
    };
  },
};

async function measureSearches({ folder, sizes }: Means, count: number): Promise<Finding[]> {
  const { memories, client } = spokenAccount(sizes.mirroredSegments, count);
  const place = join(folder, `search-${count}`);
  mkdirSync(place);
  const mirror = await openMirror({ folder: place });
  await mirror.sync(client());
  const loop = { 'a loop over JSON': keepJson(memories) };
  const indexes = {
    'FTS5 `rank`': fillRankedSearch(memories, join(place, 'ranked.sqlite')),
    MiniSearch: fillMiniSearch(memories),
  };
  const findings: Finding[] = [];
  for (const { what, query, isInsideWord } of [...kinds, rareWords(memories)]) {
    const label = `${what}, ${count.toLocaleString('en')} ${count === 1 ? 'memory' : 'memories'}`;
    const ours = () => time(() => mirror.search(query));
    const { searches } = await runRounds(sizes.searches, { searches: ours });
    findings.push(amount(label, 'ms', percentile(searches, 0.95), { atMost: 50 }));
    const peers: Record<string, SearchPeer> = { ...(!isInsideWord && indexes), ...loop };
    const times = await runRounds<string>(sizes.longRounds, { ours, ...(await contendersFor(query, mirror, peers)) });
    for (const name of Object.keys(peers))
      findings.push(ratio(`${label}: against ${name}`, times.ours ?? [], times[name] ?? []));
  }
  await mirror.close();
  return findings;
}

/** @throws Error if a peer finds another number of hits, because its work would then differ. */
async function contendersFor(query: string, mirror: Mirror, peers: Record<string, SearchPeer>) {
  const { hits } = await mirror.search(query);
  const contenders = Object.entries(peers).map(([name, search]) => {
    const found = search(query).length;
    if (found === hits.length && found > 0) return [name, () => time(() => search(query))];
    throw new Error(
      `Failed to compare searches for ${query}: ${name} has ${found} hits, the mirror ${hits.length}. Make them equal.`,
    );
  });
  return Object.fromEntries(contenders);
}

/** Two words in one turn of the oldest memory. */
function rareWords([oldest]: readonly Memory[]): Kind {
  const [segment] = oldest?.transcript?.segments ?? [];
  return { what: 'Two rare words', query: (segment?.text ?? '').split(' ').slice(0, 2).join(' ') };
}
