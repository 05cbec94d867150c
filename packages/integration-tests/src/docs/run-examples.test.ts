import { globSync } from 'node:fs';
import { join } from 'node:path';
import { showcaseMemories } from '@memory-read/fixtures/showcase';
import { createMemoryMock } from '@memory-read/msw';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exampleFolder } from './examples.ts';

const records = showcaseMemories({ now: '2026-01-01T00:00:00Z' }).map((record, index) => ({
  ...record,
  id: `mem_${3 - index}`,
  media: { audio: { object_key: 'audio.wav', content_type: 'audio/wav' } },
}));
const mock = createMemoryMock({ baseUrl: 'https://api.example.com', memories: records });
const oldest = records[2];
const spoken = oldest?.transcript?.segments.map(({ speaker, text }) => `${speaker}: ${text}`) ?? [];

/** Expected output of each example. A new file needs an entry here. */
const output: Record<string, (string | RegExp)[]> = {
  'client.ts': [
    ...records.map(({ started_at, id, name }) => `${started_at} ${id} ${name}`),
    oldest?.summary?.quick_summary ?? 'a summary',
    ...spoken,
    '3',
    /^req_\w+$/,
    'undefined',
    'listMemories ended with attempt 1',
  ],
  'client-errors.ts': [
    'Failed to list memories: the server answered 401 (invalid key). Check the apiKey option.',
    'The key is not accepted (invalid_key).',
    'Failed to get a memory: the id is empty. Pass an id from the list of memories.',
    'The memories cannot be read. Contact the support.',
    'Failed to get memory "mem_1": the server answered 503 ("Service Unavailable"). Try again later.',
    'Try again in 180 seconds.',
    'Failed to list memories: the server answered 401 (invalid key). Check the apiKey option.',
    'The key is not accepted (invalid_key).',
  ],
  'client-transcript.ts': [
    'WEBVTT\n\n00:00:01.250 --> 00:00:02.000\n<v Speaker 1>Shall we</v>\n\n00:00:02.000 --> 00:00:03.000\n<v Speaker 1>start?</v>\n\n00:00:04.000 --> 00:00:05.000\n<v Speaker 2>Yes &amp; &lt;now&gt;!</v>\n',
    '1\n00:00:01,250 --> 00:00:02,000\nSpeaker 1: Shall we\n\n2\n00:00:02,000 --> 00:00:03,000\nSpeaker 1: start?\n\n3\n00:00:04,000 --> 00:00:05,000\nSpeaker 2: Yes & <\u2060now>!\n',
    '1\n00:00:01,250 --> 00:00:02,000\nSpeaker 1: Shall we\n\n2\n00:00:02,000 --> 00:00:03,000\nSpeaker 1: start?\n\n3\n00:00:04,000 --> 00:00:04,001\nSpeaker 2: Yes & <\u2060now>!\n',
    'blob',
    'Speaker 1: Shall we start?\nSpeaker 2: Yes & <now>!\n',
    '`0:00:01` **Speaker 1:** Shall we start?\n\n`0:00:04` **Speaker 2:** Yes \\& \\<now\\>!\n',
    'Speaker 1, after 1250 ms: Shall we start?',
    'Speaker 2, after 4000 ms: Yes & <now>!',
    'Speaker 1 speaks for 1750 ms',
    'Speaker 2 speaks for 1 ms',
    '[0:00:01] Ada: Shall we start?\n[0:00:04] Grace: Yes & <now>!\n',
    '3 cues, the first after 1250 ms',
    'length-not-positive: segment 2',
    '来週のプロジェクト会議は木曜日です。',
    'true false',
    '0: Speaker 1: Shall we start?',
    '2: Speaker 2: Yes & <now>!',
    '["Speaker 1","Speaker 1","Speaker 2"]',
  ],
  'client-search.ts': [
    'Call with the insurer, 0 ms: I think we should cancel the trip, because the premium rises.',
    'insurance is in 0 memories.',
    'premium is in 2 memories.',
    'Call with the insurer does not have insurance.',
    'Budget does not have insurance.',
    '["cancel the trip","lisbon"]',
    'The query only excludes words.',
    '2 2',
    'some ["zebra"]',
    '[{"text":"premium","memories":2},{"text":"zebra","memories":0}]',
    ' lodz cafe 東京タワー ',
    'true false',
    'name  call with the insurer ',
    'transcript  i think we should cancel the trip because the premium rises ',
    '{"text":"I think we should cancel the trip, because the premium rises.","highlights":[[47,54]]}',
    '[1,2]',
    'true',
    'true',
  ],
  'client-timeouts.ts': ['mem_1', '3', '3'],
  'new-memories.ts': [
    `${records[0]?.name}: ${records[0]?.summary?.quick_summary}`,
    /^Failed to get memory "mem_2": the server answered 403/,
    `${records[2]?.name}: ${records[2]?.summary?.quick_summary}`,
    '1 ["mem_1.json","mem_1.wav","mem_3.json","mem_3.wav"]',
    `${records[1]?.name}: ${records[1]?.summary?.quick_summary}`,
    'undefined ["mem_1.json","mem_1.wav","mem_2.json","mem_2.wav","mem_3.json","mem_3.wav"]',
  ],
  'client-media.ts': [
    /^It plays until \d{4}-.*Z\.$/,
    /^\d{4}-.*Z$/,
    /^It plays until \d{4}-.*Z\.$/,
    'true',
    `${44 + 8000 * Number(records[0]?.duration_seconds)} bytes, of which 0 were there already`,
  ],
  'conformance.ts': [/\nPassed, but some rules were not checked\.\n/],
  'conformance-keys.ts': [/\nPassed, but some rules were not checked\.\n/],
  'conformance-rules.ts': [/^2\.1, 2\.1 id, 2\.1 name, /, 'A run only reads: a write could change real data.'],
  'judge.ts': [
    /\n5 passed, 0 failed, 1 skipped, 0 known\.\nPassed\.\n$/,
    '["redirect-key","redirect-loop","redirect-other-data"]',
  ],
  'connections.ts': ['["MemoryClient","MemoryClient","MemoryClient"]'],
  'fetch-through.ts': [],
  'framework-handlers.ts': [],
  'frontend-backend.ts': [
    'The backend listens on port 0.',
    `200 ${records[2]?.name}`,
    'The API answered 404 to /v1/memories/mem_none.',
    '404 Memory not found',
    '404 Not Found',
    '403 Forbidden',
  ],
  'contract-dates.ts': ['1772366400000', 'undefined', '2026-10-25 02:30+02:00'],
  'client-times.ts': ['25'],
  'client-functions.ts': [/./],
  'client-functions-all.ts': [
    ...records.map(({ id, name }) => `${id} ${name}`),
    oldest?.summary?.quick_summary ?? 'a summary',
    ...['false', 'mem_1 processed', 'mem_2 processed', 'added', 'true', 'audio/wav'],
  ],
  'client-per-account.ts': ['3 3'],
  'contract.ts': [oldest?.name ?? 'a name', '["/v1/memories","/v1/memories/{memory_id}"]'],
  'fixtures.ts': ['0', /^2400044 "audio-300-\w+" 8000$/, '20 audio/wav'],
  'showcase.ts': ['A burst pipe and a promise', 'How a lighthouse says its name', 'Note to self: lemon cake'],
  'media-handlers.ts': [],
  'mcp.ts': [/^The tools are at http:\/\/127\.0\.0\.1:\d+\/mcp$/],
  'mcp-parts.ts': ['false'],
  'mirror.ts': [
    ...[
      / A burst pipe and a promise$/,
      / because a burst pipe has flooded /,
      / There is a burst pipe under the sink\.$/,
    ],
    '0 added, 0 changed, 0 missing, 3 media saved',
    /^Speaker 2, \d+ ms into media\/[0-9a-f]{24}\/audio-[0-9a-f]{8}\.wav$/,
    'promise',
    /^Speaker 2, \d+ ms into media\/[0-9a-f]{24}\/audio-[0-9a-f]{8}\.wav$/,
    'promised',
    ...records.map(({ name }) => `${name} listed`),
    '3 pages written',
    /\/backup\.sqlite \d+$/,
    '0 repaired, 0 lost',
    ...records.map(({ id }) => new RegExp(`^${id} [0-9a-f]{24}/audio-[0-9a-f]{8}\\.wav$`)),
    /^2025-\d\d-\d\d .* [0-9a-f]{4}\.srt 2025-\d\d-\d\d .* [0-9a-f]{4}\.mp4$/,
    /^1\n00:00:\d\d,\d{3} --> /,
    '9 files saved, 0 renamed',
  ],
  'mirror-history.ts': [
    '1 added "2026-11-16T09:00:00.000Z" []',
    '2 changed "2026-11-23T09:00:00.000Z" ["name"]',
    'Stand-up is now Stand-up of the team',
    /^memory\.processed \S+ Stand-up$/,
    '0',
    'true []',
    'Failed to sync the mirror: the mirror is closed. Open it again.',
  ],
  'mirror-events.ts': [
    'memory.processed Stand-up',
    '1 0',
    ...['console 0 null', 'n8n 0 null', 'notes 0 null'],
    'mem_1 the memory has no summary',
    '1',
  ],
  'people.ts': [
    /^Speaker 1 null Because the neighbours are asleep/,
    /^Speaker 2 null Right\. Find the blue valve/,
    /^Ada Speaker 2 I promise I will be there at eight/,
    'Ada Speaker 2 You promised me pancakes in March.',
    /^Tom: Ada, please say you still own a wrench\.\nAda: I own three of them\./,
    'Ada Byron false 1',
    'Tom true 1',
    'Failed to rename the person: there is a person "Ada Byron" already. To make them one person, run memory-read people merge "Tom" "Ada Byron".',
    '0 changed, 2 unchanged',
    'true',
    'true []',
  ],
  'msw.ts': [
    'false',
    '403 200',
    '403',
    'audio/wav',
    'Talk',
    'server 3',
    'true bearer 200 null',
    '13',
    '16044',
    /^\d\d$/,
  ],
  'mock-server.ts': ['Stand-up', '["fault","sent"]'],
  'msw-fetch.ts': ['Stand-up'],
  'openapi-fetch.ts': [
    ...records.map(({ id, name }) => `${id} ${name}`),
    String(records[0]?.transcript?.segments.length),
  ],
  'receipt-parts.ts': ['Good evening.', 'Every receipt is still valid.', 'We ship on Friday,…'],
  'receipts.ts': ['Speaker 1, after 44600 ms: fog horn', 'a part of the words'],
  'send-audio.ts': [],
  'server.ts': [/^Listening on http:\/\/127\.0\.0\.1:\d+ for mrk_…$/],
  'server-media.ts': [/^\d{5}$/, /^206 bytes 0-43\/\d{5}$/, '200'],
  'server-parts.ts': [
    /^{"userId":"user_1","keyId":"key_[\w-]{16}"}$/,
    '200 3',
    /^The API is at http:\/\/127\.0\.0\.1:\d+\/v1$/,
    /^2025-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    'undefined',
  ],
  'server-s3.ts': ['https://example-media.s3.eu-central-1.amazonaws.com/mem_1/audio.wav'],
  'server-sqlite.ts': [/^mem_\w+$/, /^mem_\w+$/, /^mem_\w+$/],
  'tracing.ts': ['3'],
  'waiting.ts': [
    oldest?.summary?.quick_summary ?? 'a summary',
    ...[oldest, records[1]].map((record) => record?.summary?.quick_summary ?? 'a summary'),
    /^Poll 1 after \d+ ms: ok, next in null$/,
    oldest?.summary?.quick_summary ?? 'a summary',
  ],
  'watch-state-size.ts': ['104795 bytes'],
  'visitor-response.ts': [],
  'polling-trigger.ts': [],
  'webhook-express.ts': [],
  'webhook-hono.ts': [],
  'webhook-receiver.ts': [],
  'watching.ts': [`${oldest?.name} can be read now`, '3 3', '3', '3'],
  'tracing-hooks.ts': [],
};

const printed: string[] = [];
const { fetch: fetchOfRuntime } = globalThis;

beforeEach(() => {
  vi.stubEnv('MEMORY_API_URL', mock.baseUrl);
  vi.stubEnv('MEMORY_API_KEY', mock.apiKey);
  vi.stubEnv('PORT', '0');
  vi.stubEnv('MEMORY_FOLDER', join(makeFolder(), 'memories'));
  vi.stubEnv('MEMORY_READ_WEBHOOK_SECRET', `whsec_${'c2VjcmV0'.repeat(4)}`);
  vi.stubEnv('MEDIA_SECRET', 'thirty-two-bytes-that-none-guess');
  vi.stubEnv('MEMORY_READ_WEBHOOK_SECRET', `whsec_${'A'.repeat(32)}`);
  // The mock rejects requests to other hosts. Requests to 127.0.0.1 are sent, because examples start servers there.
  vi.stubGlobal('fetch', (...[input, init]: Parameters<typeof fetch>) => {
    const request = new Request(input, init);
    const { hostname } = new URL(request.url);
    if (hostname === 'n8n.example.com') return Promise.resolve(new Response(null, { status: 204 }));
    return hostname === '127.0.0.1' ? fetchOfRuntime(request) : mock.fetch(request);
  });
  const print = (...values: unknown[]) => void printed.push(values.map(printedText).join(' '));
  vi.spyOn(console, 'log').mockImplementation(print);
  vi.spyOn(console, 'warn').mockImplementation(print);
  vi.spyOn(console, 'error').mockImplementation(print);
});

afterEach(() => {
  printed.length = 0;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

test.each(examples())('the example %s runs and prints the expected output', async (name) => {
  // The client does not wait that long.
  if (name === 'client-errors.ts')
    mock.faults.next({ status: 503, retryAfter: 180_000 }, { match: { memoryId: 'mem_1' } });
  // One memory fails in the first run of the scheduled job.
  if (name === 'new-memories.ts') mock.faults.next({ status: 403 }, { match: { memoryId: 'mem_2' } });
  await import(join(root, exampleFolder, name));
  const expected = (output[name] ?? ['an entry in this test']).map((line) =>
    typeof line === 'string' ? line : expect.stringMatching(line),
  );
  expect(printed).toEqual(expected);
});

function printedText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Test files run like all other tests. Those of other runners, pages and stories have their own tests. */
function examples(): string[] {
  return globSync('*.ts', { cwd: join(root, exampleFolder) }).filter(
    (name) => !/\.(?:test|node|page|stories|d)\.ts$/.test(name),
  );
}
