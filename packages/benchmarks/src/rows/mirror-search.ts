import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseQuery } from '@memory-read/client/search';
import type { Memory } from '@memory-read/contract';
import { createMirrorSource } from '@memory-read/mcp';
import { type Mirror, openMirror } from '@memory-read/mirror';
import { amount, type Finding, ratio } from '../measurement/finding.ts';
import type { Means, Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { percentile } from '../measurement/statistics.ts';
import { time } from '../measurement/time.ts';
import { spokenAccount, usualPhrase, usualWords } from '../memories/spoken-memories.ts';
import { fillRankedSearch, keepJson, type SearchPeer } from '../peers/search-peers.ts';

interface Kind {
  what: string;
  /** Words of 4 letters or more also find longer words, which the account does not have. */
  query: string;
  /** Only a mirror and a loop find it, because the character has no spaces around it. */
  isInsideWord?: boolean;
}

const kinds: readonly Kind[] = [
  { what: 'A usual word', query: usualWords[0] },
  { what: 'Two words', query: usualWords.slice(0, 2).join(' ') },
  { what: 'Six words', query: usualWords.join(' ') },
  { what: 'A prefix of words', query: 'bab*' },
  { what: 'A phrase of three words', query: `"${usualPhrase}"` },
  { what: 'One Japanese character', query: '京', isInsideWord: true },
];

/** Searches that no peer has. */
const ownKinds: readonly Kind[] = [
  { what: 'Six beginnings', query: usualWords.map((word) => word.slice(0, 4)).join(' ') },
  { what: 'A word without another one', query: `${usualWords[0]} -${usualWords[1]}` },
  { what: 'Two words apart', query: `insurer ${usualWords[0]}` },
];

/** Questions without a hit. The page has the counts of each word and the nearest memories. */
const misses: readonly Kind[] = [
  { what: 'Nothing found, two words', query: `${usualWords[0]} zebra` },
  { what: 'Nothing found, eight words', query: `${usualWords.join(' ')} zebra quokka` },
  { what: 'Nothing found, a phrase', query: `"${usualWords[5]} ${usualWords[0]}"` },
];

export const mirrorSearch: Row = {
  id: 'mirror-search',
  title: 'Mirror: the first page of a search',
  method:
    'The time within which 95 % of the searches end. A search returns the newest 20 hits with snippets and highlights. Two peers return 20 hits without highlights: an FTS5 table, ordered by `rank`, and a loop that parses the JSON of memories in RAM, newest first. Without a hit, a search returns the counts of each word and the nearest memories. The search of an assistant also reads each memory that it shows.',
  async measure(means) {
    const { mirroredSegments } = means.sizes;
    const findings = [
      ...(await measureSearches(means, mirroredSegments / 50, true)),
      ...(await measureSearches(means, Math.max(1, mirroredSegments / 5_000), false)),
    ];
    return {
      findings,
      notes: [
        `${mirroredSegments.toLocaleString('en')} segments. FTS5 cannot find one Japanese character in a sentence. The rare words are in the oldest memory, so the loop parses all memories.`,
      ],
      explanation: 'Each word without a hit needs a statement for the nearest memories.',
    };
  },
};

async function measureSearches({ folder, sizes }: Means, count: number, isCompared: boolean): Promise<Finding[]> {
  const { memories, client } = spokenAccount(sizes.mirroredSegments, count);
  const place = join(folder, `search-${count}`);
  mkdirSync(place);
  const mirror = await openMirror({ folder: place });
  await mirror.sync(client());
  const loop = { 'a loop over JSON': keepJson(memories) };
  const index = { 'FTS5 `rank`': fillRankedSearch(memories, join(place, 'ranked.sqlite')) };
  const findings: Finding[] = [];
  for (const { what, query, isInsideWord } of [...kinds, rareWords(memories)]) {
    const label = `${what}, ${count.toLocaleString('en')} ${count === 1 ? 'memory' : 'memories'}`;
    const ours = () => time(() => mirror.search(query));
    const { searches } = await runRounds(sizes.searches, { searches: ours });
    findings.push(amount(label, 'ms', percentile(searches, 0.95), { atMost: 50 }));
    if (!isCompared) continue;
    const peers: Record<string, SearchPeer> = { ...(!isInsideWord && index), ...loop };
    const times = await runRounds<string>(sizes.longRounds, { ours, ...(await contendersFor(query, mirror, peers)) });
    for (const name of Object.keys(peers))
      findings.push(ratio(`${label}: against ${name}`, times.ours ?? [], times[name] ?? []));
  }
  for (const { what, query } of [...ownKinds, ...misses]) {
    const label = `${what}, ${count.toLocaleString('en')} ${count === 1 ? 'memory' : 'memories'}`;
    const isMiss = misses.some((miss) => miss.query === query);
    if ((await mirror.search(query)).hits.length > 0 === isMiss)
      throw new Error(`Failed to measure ${what}: it changed.`);
    const { ours, usual } = await runRounds(sizes.searches, {
      ours: () => time(() => mirror.search(query)),
      usual: () => time(() => mirror.search(usualWords[0])),
    });
    findings.push(amount(label, 'ms', percentile(ours, 0.95), { atMost: isMiss ? 100 : 50 }));
    if (isMiss) findings.push(ratio(`${label}: against one usual word`, ours, usual, { atMost: 12 }));
  }
  findings.push(await measureAssistant(mirror, count, sizes.longRounds));
  await mirror.close();
  return findings;
}

/** Compares the search of an assistant with a search of the mirror and the reads of what is shown. */
async function measureAssistant(mirror: Mirror, count: number, rounds: number): Promise<Finding> {
  const source = createMirrorSource(mirror);
  const text = usualWords[1];
  const question = { text, query: parseQuery(text), since: -Infinity, until: Infinity };
  const { signal } = new AbortController();
  const shown: string[] = [];
  const take = ({ memory }: { memory: Memory }) => shown.length < 10 && shown.push(memory.id) > 0;
  const { assistant, plain } = await runRounds(rounds, {
    assistant: () => time(() => source.search(question, { after: undefined, take, signal })),
    plain: () =>
      time(async () => {
        await mirror.search(text, { perMemory: 1, limit: 10 });
        for (const id of shown.splice(0)) await mirror.getMemory(id);
      }),
  });
  const label = `An assistant, ${count.toLocaleString('en')} memories: against a search and the reads of what it shows`;
  return ratio(label, assistant, plain, { atMost: 3 });
}

/** @throws Error if a peer finds another number of hits, because its work would then differ. */
async function contendersFor(query: string, mirror: Mirror, peers: Record<string, SearchPeer>) {
  // No peer finds words in different turns.
  const hits = (await mirror.search(query)).hits.filter(({ match }) => match === 'together');
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
