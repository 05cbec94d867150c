import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { createMemories, edgeCases, sampleMedia } from '@memory-read/fixtures';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archiveMemories } from './archive-memories.ts';
import { type MemoryService, startMemoryService } from './start-memory-service.ts';

const records = createMemories({ count: 6, seed: 7, now: '2026-01-01T00:00:00Z' });
const record = records.find(({ is_processing, media }) => !is_processing && media.audio) ?? records[0];
if (record === undefined) throw new Error('The fixtures have no memory.');
const quickly = { firstInterval: 1, maxInterval: 5 };

let service: MemoryService;
let client: MemoryClient;
let folder: string;

beforeEach(async () => {
  service = await startMemoryService();
  client = new MemoryClient({ baseUrl: service.url, apiKey: service.apiKey });
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

test('each memory has a folder with a page, captions and its media', async () => {
  await service.put(...records.map((each) => ({ ...each, is_processing: false })));
  expect(await archiveMemories(client, folder, quickly)).toEqual({ archived: 6, left: [] });
  expect(readdirSync(folder)).toHaveLength(6);
  const place = folderNamed(record.name);
  const page = readFileSync(join(place, 'README.md'), 'utf8');
  expect(page).toContain(record.summary?.quick_summary.slice(0, 10));
  expect(readFileSync(join(place, 'captions.vtt'), 'utf8')).toMatch(/^WEBVTT\n\n[\s\S]+-->/);
  expect(readFileSync(join(place, 'audio.wav'))).toEqual(Buffer.from(sampleMedia('audio').bytes));
  for (const [, link = ''] of page.matchAll(/\]\(([^)]+)\)/g))
    expect(statSync(join(place, link)).size).toBeGreaterThan(0);
});

test('a memory that is still processed is waited for', async () => {
  await service.put({ ...record, is_processing: true, transcript: null, summary: null });
  const run = archiveMemories(client, folder, {
    ...quickly,
    onPoll: ({ attempt }) => {
      if (attempt === 2) void service.store.finishProcessing('user_1', record.id, record as never);
    },
  });
  expect(await run).toEqual({ archived: 1, left: [] });
  expect(readFileSync(join(folderNamed(record.name), 'README.md'), 'utf8')).toContain('**Speaker');
});

test('another run renews the pages and asks for no media again, also where a memory was renamed', async () => {
  await service.put(record);
  await archiveMemories(client, folder, quickly);
  const before = readdirSync(folder, { recursive: true });
  service.requests.length = 0;
  await service.put({ ...record, name: 'Another name' });
  expect(await archiveMemories(client, folder, quickly)).toEqual({ archived: 1, left: [] });
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
  expect(service.requests.filter((path) => path.startsWith('/media/'))).toEqual([]);
  expect(readFileSync(join(folderNamed(record.name), 'README.md'), 'utf8')).toContain('# Another name');
});

test('a fault that passes goes unnoticed: a 503, and a recording that breaks off', async () => {
  await service.put(record);
  service.faults.push(['/v1/memories', 'unavailable'], ['/media/', 'cut']);
  expect(await archiveMemories(client, folder, quickly)).toEqual({ archived: 1, left: [] });
  expect(service.faults).toEqual([]);
  expect(readFileSync(join(folderNamed(record.name), 'audio.wav'))).toEqual(Buffer.from(sampleMedia('audio').bytes));
});

test('what fails is left for the next run, and does not keep the others', async () => {
  const other = { ...record, id: 'mem_other', name: 'Other', media: {} };
  await service.put(record, other, { ...other, id: 'mem_gone' });
  service.faults.push(['/v1/memories/mem_gone', 'missing'], ['/media/', 'missing'], ['/media/', 'missing']);
  const first = await archiveMemories(client, folder, quickly);
  expect(first.archived).toBe(1);
  expect(first.left.map(({ memoryId }) => memoryId).sort()).toEqual([record.id, 'mem_gone'].sort());
  expect(JSON.stringify(first)).not.toContain('signature=');
  expect(await archiveMemories(client, folder, quickly)).toEqual({ archived: 3, left: [] });
});

test('what is not processed in time is left for the next run', async () => {
  await service.put({ ...record, is_processing: true });
  const { archived, left } = await archiveMemories(client, folder, { ...quickly, maxWait: 20 });
  expect([archived, left.length]).toEqual([0, 1]);
  expect(left[0]?.reason).toContain('within 20 ms');
});

test('no name leads out of the folder, and none of what was said is more than text in the page', async () => {
  const markup = '# <img src=x onerror=alert(1)> [a](javascript:b) `c` https://example.com';
  const summary = { quick_summary: `1. ${markup}`, key_takeaways: [`- ${markup}`] };
  const awkward = Object.values(edgeCases).map((edgeCase) => ({ ...edgeCase, is_processing: false }));
  await service.put({ ...record, name: `../../${markup}`, summary, transcript: null, media: {} }, ...awkward);
  expect(await archiveMemories(client, folder, quickly)).toEqual({ archived: 1 + awkward.length, left: [] });
  expect(readdirSync(folder).filter((name) => !/^[\p{L}\p{N}-]+-[0-9a-f]{16}$/u.test(name))).toEqual([]);
  const page = readFileSync(join(folderNamed('img-src-x'), 'README.md'), 'utf8');
  const html = micromark(page, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  expect(html).toContain('alert(1)');
  expect(html.match(/<(?:img|code|ol|a href="(?!captions))/g)).toBeNull();
  expect(html.match(/<li>/g)).toHaveLength(1);
});

function folderNamed(name: string): string {
  const words = (name.match(/[\p{L}\p{N}]+/gu) ?? []).join('-').slice(0, 20);
  return join(folder, readdirSync(folder).find((each) => each.includes(words)) ?? 'missing');
}
