import { readTimeRange } from '@memory-read/client/search';
import { createMirrorSource } from '@memory-read/mcp';
import { serveMcpHttp } from '@memory-read/mcp/node';
import { type Mirror, openMirror } from '@memory-read/mirror';
import { expect, onTestFinished, test, vi } from 'vitest';
import { jsonLines } from '../testing/json-lines.ts';
import { runCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';

const hourMs = 3_600_000;
/** Days of UTC around which a clock changes. A memory starts at half past each hour of these, and of a day on both sides. */
const days = ['2011-12-30', '2018-11-04', '2026-03-29', '2026-04-24', '2026-10-25', '2026-11-01', '2026-11-24'];
const starts = days.flatMap((day) =>
  Array.from({ length: 72 }, (_, hour) => new Date(Date.parse(day) + (hour - 23.5) * hourMs).toISOString()),
);

/** The last number is that of the memories, which is the number of hours. */
const ranges: [timeZone: string, since: string, until: string, hours: number][] = [
  ['UTC', '2026-10-25', '2026-10-25', 24],
  ['Europe/Berlin', '2026-03-29', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', '2026-10-25', 25],
  ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T02:30', 1],
  ['Europe/Berlin', '2026-10-25T00:00+01:00', '2026-10-25T23:00Z', 24],
  ['America/New_York', '2026-11-01', '2026-11-01', 25],
  ['America/New_York', '2026-10', '2026-10', 72 + 28],
  ['Asia/Kolkata', '2026-11-24', '2026-11-24', 24],
  ['Pacific/Apia', '2011-12-29', '2011-12-30', 24],
  ['Pacific/Apia', '2011-12-30', '2011-12-31', 24],
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04', 23],
  ['Africa/Cairo', '2026-04-24', '2026-04-24', 23],
  ['Africa/Cairo', '2026', '2026', 5 * 72],
];
/** Words that people and assistants use. At this time, it is Monday in Berlin and still Sunday in New York. */
const now = new Date('2026-10-26T03:00:00Z');
const spoken: typeof ranges = [
  ['Europe/Berlin', 'sunday', 'yesterday', 25],
  ['Europe/Berlin', 'today', 'now', 4],
  ['America/New_York', 'Sun', 'today', 24],
  ['America/New_York', 'yesterday', 'SATURDAY', 24],
];

test('the same words select the same memories everywhere', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  const account = await serveAccount(...starts.map((start) => ({ id: start.replaceAll(/\W/g, ''), ...times(start) })));
  const folder = temporaryDirectory();
  expect(await runCli(['mirror', folder, '--no-pages'], account)).toMatchObject({ code: 0 });
  const mirror = await openMirror({ folder, readOnly: true });
  onTestFinished(() => mirror.close());
  const tools = await serveMcpHttp({ source: createMirrorSource(mirror) });
  onTestFinished(() => tools.close());

  const differences: unknown[] = [];
  for (const [timeZone, since, until, hours] of [...ranges, ...spoken]) {
    const isSpoken = /^[a-z]/i.test(since);
    const range = readTimeRange({ since, until }, { timeZone, ...(isSpoken && { now }) });
    const expected = starts.filter((start) => range.since <= Date.parse(start) && Date.parse(start) < range.until);
    expect({ timeZone, since, hours: expected.length }).toEqual({ timeZone, since, hours });

    const options = ['--since', since, '--until', until, '--time-zone', timeZone, '--format', 'jsonl'];
    const input = { since, until, time_zone: timeZone };
    const found = {
      'memory-read list': startsOf((await runCli(['list', ...options], account)).stdout),
      'memory-read search': startsOf(
        (await runCli(['search', 'walk', ...options, '--mirror', folder, '--limit', '1000'])).stdout,
      ),
      list_memories: await pagesOf(tools.url, 'list_memories', { ...input, limit: 50 }),
      search: await pagesOf(tools.url, 'search', { ...input, query: 'walk' }),
      ...(!isSpoken && (await readMirror(mirror, { since, until, timeZone }))),
    };
    for (const [place, these] of Object.entries(found)) {
      if (these.toSorted().join() !== expected.join()) differences.push({ place, timeZone, since, until, these });
    }
  }
  expect(differences).toEqual([]);
});

function times(start: string) {
  return { name: 'Walk', started_at: start, ended_at: new Date(Date.parse(start) + 60_000).toISOString() };
}

function startsOf(stdout: string): string[] {
  return jsonLines(stdout).map(({ started_at }) => String(started_at));
}

async function readMirror(mirror: Mirror, range: { since: string; until: string; timeZone: string }) {
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await mirror.search('walk', { ...range, limit: 200, cursor });
    found.push(...page.hits.map(({ startedAt }) => startedAt));
    cursor = page.cursor;
  }
  const records: string[] = [];
  for await (const { started_at } of mirror.exportRecords(range)) records.push(started_at);
  const { memories } = await mirror.listMemories({ ...range, limit: 1000 });
  return {
    'mirror.search': found,
    'mirror.exportRecords': records,
    'mirror.listMemories': memories.map(({ memory }) => memory.started_at),
  };
}

/** Calls a tool until its last page. */
async function pagesOf(url: string, name: string, input: object): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const params = { name, arguments: { ...input, ...(cursor !== undefined && { cursor }) } };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const text = await response.text();
    const { structuredContent } = JSON.parse(text.replace(/^[^{]*/, '')).result;
    const { memories, results = memories, time_zone, next_cursor } = structuredContent;
    expect(Object.entries(input)).toContainEqual(['time_zone', time_zone]);
    found.push(...results.map(({ started_at }: { started_at: string }) => started_at));
    cursor = next_cursor;
  }
  return found;
}
