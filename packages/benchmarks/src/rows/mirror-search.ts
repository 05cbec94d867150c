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

interface Kind {
  what: string;
  /** Words of 4 letters or more also find longer words, which the account does not have. */
  query: string;
}

const kinds: readonly Kind[] = [
  { what: 'A usual word', query: usualWords[0] },
  { what: 'Two words', query: usualWords.slice(0, 2).join(' ') },
  { what: 'Six words', query: usualWords.join(' ') },
  { what: 'A prefix of words', query: 'bab*' },
  { what: 'A phrase of three words', query: `"${usualPhrase}"` },
  { what: 'One Japanese character', query: '京' },
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
    'The time within which 95 % of the searches end. A search returns the newest 20 hits with snippets and highlights. Without a hit, a search returns the counts of each word and the nearest memories. The search of an assistant also reads each memory that it shows.',
  async measure(means) {
    const { mirroredSegments } = means.sizes;
    const findings = [
      ...(await measureSearches(means, mirroredSegments / 50)),
      ...(await measureSearches(means, Math.max(1, mirroredSegments / 5_000))),
    ];
    return {
      findings,
      notes: [`${mirroredSegments.toLocaleString('en')} segments. The rare words are in the oldest memory.`],
      explanation: 'Each word without a hit needs a statement for the nearest memories.',
    };
  },
};

async function measureSearches({ folder, sizes }: Means, count: number): Promise<Finding[]> {
  const { memories, client } = spokenAccount(sizes.mirroredSegments, count);
  const mirror = await openMirror({ folder: join(folder, `search-${count}`) });
  await mirror.sync(client());
  const findings: Finding[] = [];
  for (const { what, query } of [...kinds, rareWords(memories), ...misses]) {
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

/** Two words in one turn of the oldest memory. */
function rareWords([oldest]: readonly Memory[]): Kind {
  const [segment] = oldest?.transcript?.segments ?? [];
  return { what: 'Two rare words', query: (segment?.text ?? '').split(' ').slice(0, 2).join(' ') };
}
