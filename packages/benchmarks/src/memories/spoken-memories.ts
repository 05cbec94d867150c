import { MemoryClient } from '@memory-read/client';
import type { Memory } from '@memory-read/contract';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';

/** Words that each stand in half of the turns. */
export const usualWords = ['water', 'people', 'paper', 'morning', 'number', 'street'] as const;

/** A phrase of three usual words, in one of eight turns. */
export const usualPhrase = usualWords.slice(0, 3).join(' ');

const epoch = Date.UTC(2026, 0, 1);
const baseUrl = 'https://api.example.com';

/** Makes the same account each time: its memories have some number of segments in all, and two of one speaker are a turn. */
export function spokenAccount(segments: number, memories: number) {
  const next = randomNumbers();
  const made = Array.from({ length: memories }, (_item, index) => spokenMemory(index, segments / memories, next));
  return accountOf(made);
}

/** The server of the client of an account is a function, so that requests take no time on a network. */
export function accountOf(memories: readonly Memory[]) {
  const details = new Map(memories.map((memory) => [`/v1/memories/${memory.id}`, JSON.stringify(memory)]));
  const list = JSON.stringify(memories.map((memory) => ({ ...memory, transcript: null })).reverse());
  const fetch = (request: Request) => {
    const body = details.get(new URL(request.url).pathname) ?? list;
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
  };
  const bytes = [...details.values()].reduce((sum, body) => sum + Buffer.byteLength(body), 0);
  return { memories, bytes, client: () => new MemoryClient({ baseUrl, apiKey: 'mrk_benchmark', fetch }) };
}

function spokenMemory(index: number, count: number, next: () => number): Memory {
  const start = epoch + index * 3_600_000;
  const segments = Array.from({ length: count }, (_item, number) => ({
    speaker: `Speaker ${(Math.floor(number / 2) % 3) + 1}`,
    start_at: new Date(start + number * 500).toISOString(),
    end_at: new Date(start + number * 500 + 450).toISOString(),
    text: spokenText(next),
  }));
  return sampleMemory({
    id: `mem_${String(index).padStart(8, '0')}`,
    name: `Call with the insurer, part ${index}`,
    started_at: new Date(start).toISOString(),
    ended_at: new Date(start + count * 500).toISOString(),
    duration_seconds: Math.ceil(count / 2),
    audio_url: null,
    transcript: { segments },
  });
}

/** About sixty characters: rare words, usual ones, and sometimes Japanese. */
function spokenText(next: () => number): string {
  const rare = () =>
    `${syllables[Math.floor(next() * 40)]}${syllables[Math.floor(next() * 40)]}${Math.floor(next() * 4)}`;
  const words = Array.from({ length: 5 }, rare);
  if (next() < 0.07) words.push(usualPhrase);
  for (const word of usualWords) if (next() < 0.25) words.push(word);
  if (next() < 0.02) words.push('昨日京都で会議があった。');
  return `${words.join(' ')}.`;
}

const syllables =
  'ba be bi bo bu da de di do du fa fe fi fo fu ga ge gi go gu ka ke ki ko ku la le li lo lu ma me mi mo mu ra re ri ro ru'.split(
    ' ',
  );

function randomNumbers(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
