import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLiveSource, createMemoryMcpServer, createMirrorSource, type MemorySource } from '@memory-read/mcp';
import { openMirror } from '@memory-read/mirror';
import type { Finding, Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, spreadOf } from '../measurement/statistics.ts';
import { time } from '../measurement/time.ts';
import { type SpokenAccount, spokenAccount, usualWords } from '../memories/spoken-memories.ts';
import { type CallTool, connectAssistant, connectToReadyTool } from '../peers/assistant.ts';

const segmentsOfMemory = 50;

/** A call of a tool, with its name on the page. */
interface Question {
  what: string;
  tool: 'search' | 'fetch';
  input: Record<string, unknown>;
  sources: readonly Source[];
}

type Source = 'live, cold' | 'live, warm' | 'live' | 'over a mirror';

/** Opens a tool for one call. */
type Open = () => CallTool | Promise<CallTool>;

export const mcpTools: Row = {
  id: 'mcp-tools',
  title: 'MCP: a search and a fetch',
  method:
    'A client of the official SDK calls a server in the same process. The API is a function of this process too, so requests take no time on a network. A cold source has an empty cache. A warm source has cached the list and all transcripts. A search of a cold source reads at most 16 transcripts; the others search all memories. A fetch does not use the cache. The peer is a server of the official SDK. Its tool has no schemas, checks nothing, and returns the bytes that our server returned.',
  async measure({ sizes, folder }) {
    const account = spokenAccount(sizes.assistedMemories * segmentsOfMemory, sizes.assistedMemories);
    const place = join(folder, 'assisted');
    mkdirSync(place);
    const mirror = await openMirror({ folder: place });
    await mirror.sync(account.client());
    const over = (source: MemorySource) => connectAssistant(createMemoryMcpServer({ source }));
    const warm = await over(createLiveSource(account.client(), { transcriptRequests: sizes.assistedMemories }));
    const mirrored = await over(createMirrorSource(mirror));
    const openings: Record<Source, Open> = {
      'live, cold': () => over(createLiveSource(account.client())),
      'live, warm': () => warm,
      live: () => warm,
      'over a mirror': () => mirrored,
    };
    const findings: Finding[] = [];
    for (const question of questionsFor(account)) {
      findings.push(...(await compare(question, { openings, rounds: sizes.rounds })));
    }
    await mirror.close();
    return {
      findings,
      notes: [`${sizes.assistedMemories.toLocaleString('en')} memories of ${segmentsOfMemory} segments each.`],
    };
  },
};

function questionsFor({ memories: [oldest] }: SpokenAccount): Question[] {
  const [segment] = oldest?.transcript?.segments ?? [];
  const search = (what: string, query: string): Question => ({
    what,
    tool: 'search',
    input: { query },
    sources: ['live, cold', 'live, warm', 'over a mirror'],
  });
  return [
    // The first search reads all transcripts, so that the warm source has them.
    search('Search for two rare words', (segment?.text ?? '').split(' ').slice(0, 2).join(' ')),
    search('Search for two usual words', usualWords.slice(0, 2).join(' ')),
    { what: 'Fetch', tool: 'fetch', input: { id: oldest?.id }, sources: ['live', 'over a mirror'] },
  ];
}

async function compare(
  { what, tool, input, sources }: Question,
  { openings, rounds }: { openings: Record<Source, Open>; rounds: number },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const costs: Record<string, () => Promise<number>> = {};
  for (const name of sources) {
    const open = openings[name];
    costs[name] = async () => {
      const call = await open();
      return time(() => call(tool, input));
    };
    const ready = await connectToReadyTool(tool, await (await open())(tool, input));
    costs[`${name}: ready`] = () => time(() => ready(tool, input));
  }
  const times = await runRounds(rounds, costs);
  for (const name of sources) {
    const [ours = [], theirs = []] = [times[name], times[`${name}: ready`]];
    findings.push(
      { what: `${what}, ${name}: against the bytes of the SDK`, value: pairedRatio(ours, theirs), unit: '×' },
      { what: `${what}, ${name}`, value: spreadOf(ours), unit: 'ms' },
    );
  }
  return findings;
}
