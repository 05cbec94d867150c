import { createInMemoryStore } from '@memory-read/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Storage } from '../storage/storage.ts';
import { finishRecordings } from './finish-recordings.ts';
import { type Demo, prepareDemo } from './prepare-demo.ts';

const now = new Date('2026-07-08T09:30:00Z');
let storage: Storage;
let demo: Demo;

const start = (at: Date) => prepareDemo(storage, at);
const run = ({ userId, processingIds: memoryIds }: Demo, signal = new AbortController().signal) =>
  finishRecordings({ storage, userId, memoryIds, signal, onError: (error) => expect.unreachable(String(error)) });

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  storage = { ...createInMemoryStore(), checkReadiness: async () => {}, close: async () => {} };
  demo = await start(now);
});
afterEach(() => vi.useRealTimers());

async function listed() {
  const memories: { id: string; is_processing: boolean }[] = [];
  for await (const memory of storage.listMemories({ userId: demo.userId })) memories.push(memory);
  return memories;
}

async function processingIds(): Promise<string[]> {
  return (await listed()).filter(({ is_processing }) => is_processing).map(({ id }) => id);
}

test('processes the newest memory after 30 seconds, the next one after 180, and one never', async () => {
  const [first, second, endless] = await processingIds();
  expect(demo.processingIds).toEqual([first, second]);
  run(demo);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(await processingIds()).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(await processingIds()).toEqual([second, endless]);
  await vi.advanceTimersByTimeAsync(150_000 - 1);
  expect(await processingIds()).toEqual([second, endless]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await processingIds()).toEqual([endless]);
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(await processingIds()).toEqual([endless]);
});

test('has 24 memories at every hour of a day, three of them processing', async () => {
  for (let hour = 0; hour < 24; hour += 0.25) {
    storage = { ...createInMemoryStore(), checkReadiness: async () => {}, close: async () => {} };
    demo = await start(new Date(now.getTime() + hour * 3_600_000));
    expect(await listed()).toHaveLength(24);
    expect(await processingIds()).toHaveLength(3);
  }
});

test('gives a processed memory a summary, and a transcript within its recording', async () => {
  const { userId, processingIds: ids } = demo;
  run(demo);
  await vi.advanceTimersByTimeAsync(180_000);
  for (const memoryId of ids) {
    const memory = await storage.getMemory({ userId, memoryId });
    const { segments } = JSON.parse(String(memory?.transcriptJson));
    expect(segments.length).toBeGreaterThan(1);
    for (const { start_at, end_at } of segments) {
      expect(start_at >= (memory?.started_at ?? '') && end_at <= (memory?.ended_at ?? '')).toBe(true);
    }
    expect(JSON.parse(memory?.summaryJson ?? 'null').quick_summary).not.toBe('');
    expect(memory?.media.audio?.object_key).toBe(`${memoryId}/audio.wav`);
    expect(Date.parse(memory?.ended_at ?? '')).toBeLessThan(now.getTime());
  }
});

test('finishes memories of an earlier start, and adds one if none is processing', async () => {
  const later = await start(new Date(now.getTime() + 3_600_000));
  expect(later.processingIds).toEqual(demo.processingIds);
  run(later);
  await vi.advanceTimersByTimeAsync(180_000);
  const [endless] = await processingIds();
  const last = await start(new Date(now.getTime() + 7_200_000));
  expect(await processingIds()).toEqual([last.processingIds[0], endless]);
  run(last);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await processingIds()).toEqual([endless]);
});

test('does not change memories after the demo has ended, or if another process finished them', async () => {
  const ending = new AbortController();
  run(demo, ending.signal);
  ending.abort();
  await vi.advanceTimersByTimeAsync(180_000);
  expect(await processingIds()).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);

  const [memoryId = ''] = demo.processingIds;
  const { userId } = demo;
  run(demo);
  await storage.finishProcessing(userId, memoryId, { transcript: null, summary: null });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await storage.getMemory({ userId, memoryId })).toMatchObject({ is_processing: false, summaryJson: null });
});
