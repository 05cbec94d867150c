import type { Summary, Transcript } from '@memory-read/contract';
import { collect, expectEqual, expectRejection } from './expectations.ts';
import { expectFullList, listIds } from './listing-rules.ts';
import type { WritableStore } from './putting-rules.ts';
import type { StoreRules } from './store-case.ts';
import { createManyRecords, createRecord, createTranscript, expectedDetail, readable } from './test-records.ts';

const processing = { is_processing: true, transcript: null, summary: null };
const summary = { quick_summary: 'Short \0 \ud800', key_takeaways: ['One'] };
const silence = { transcript: null, summary: null };
const [segment] = createTranscript('Too late').segments;
const invalidResults: { transcript: Transcript | null; summary: Summary | null }[] = [
  { transcript: null, summary: { quick_summary: 1 } as never },
  { transcript: { segments: [{ ...segment, start_at: 'soon' } as never] }, summary },
  // In UTC this is the year 10000.
  { transcript: { segments: [{ ...segment, end_at: '9999-12-31T23:59:59-01:00' } as never] }, summary },
];

export const changingRules: StoreRules<WritableStore> = {
  async 'finishes the processing of a memory, in its list too'({ store, seed }) {
    const record = createRecord({ id: 'one', ...processing });
    await seed('ada', [record, createRecord({ id: 'two', ...processing })]);
    const transcript = createTranscript('Done \0 \udc00');
    const isFinished = await store.finishProcessing('ada', 'one', { transcript, summary });
    expectEqual(isFinished, true, 'Finishing a memory that exists does not give true');
    const expected = expectedDetail('ada', { ...record, is_processing: false, transcript, summary });
    expectEqual(await read(store, 'one'), expected, 'A finished memory is not read with its result');
    const listed = (await collect(store.listMemories({ userId: 'ada' }))).map((memory) => [
      memory.id,
      memory.is_processing,
      memory.summaryJson && JSON.parse(memory.summaryJson),
    ]);
    const expectedList = [
      ['two', true, null],
      ['one', false, summary],
    ];
    expectEqual(listed, expectedList, 'Finishing a memory does not change it, and only it, in the list');
  },

  async 'finishes a recording in which nobody speaks'({ store, seed }) {
    const record = createRecord({ id: 'one', ...processing });
    await seed('ada', [record]);
    await store.finishProcessing('ada', 'one', silence);
    const expected = expectedDetail('ada', { ...record, is_processing: false });
    expectEqual(await read(store, 'one'), expected, 'A silent recording does not end processed with nulls');
  },

  async 'keeps the segments of a finished memory in order and in UTC'({ store, seed }) {
    const record = createRecord({ id: 'one', ...processing });
    await seed('ada', [record]);
    const late = { speaker: 'Speaker 2', start_at: '2026-03-01T09:00:09', end_at: '2026-03-01T09:00:10', text: 'Late' };
    const early = { ...late, start_at: '2026-03-01T10:00:01.5+01:00', text: 'Early' };
    await store.finishProcessing('ada', 'one', { transcript: { segments: [late, early] }, summary });
    const transcript = (await read(store, 'one'))?.transcript as Transcript | undefined;
    const starts = transcript?.segments.map(({ start_at }) => start_at);
    const expected = ['2026-03-01T09:00:01.500Z', '2026-03-01T09:00:09.000Z'];
    expectEqual(starts, expected, 'The segments of a finished memory are not in order and in UTC');
  },

  async 'finishes no unknown memory, none of another account, and none with an invalid result'({ store, seed }) {
    await seed('ada', [createRecord({ id: 'one', ...processing }), createRecord({ id: '\ufffd', ...processing })]);
    await seed('grace', []);
    const attempts = [
      ['ada', 'unknown'],
      ['grace', 'one'],
      ['nobody', 'one'],
      ['ada', '\ud800'],
    ] as const;
    for (const [userId, memoryId] of attempts) {
      const isFinished = await store.finishProcessing(userId, memoryId, { transcript: null, summary });
      expectEqual(isFinished, false, `Account ${userId} can finish ${JSON.stringify(memoryId)}, which is not its own`);
    }
    for (const invalid of invalidResults) {
      await expectRejection(store.finishProcessing('ada', 'one', invalid), 'An invalid result is accepted');
    }
    const states = (await collect(store.listMemories({ userId: 'ada' }))).map((memory) => memory.is_processing);
    expectEqual(states, [true, true], 'A memory was finished by an attempt that was refused');
  },

  async 'deletes a memory of the account, once'({ store, seed }) {
    await seed('ada', [createRecord({ id: 'one' }), createRecord({ id: 'two' })]);
    await seed('grace', []);
    expectEqual(await listIds(store), ['two', 'one'], 'Memories are not listed before one is deleted');
    expectEqual(await store.deleteMemory('ada', 'one'), true, 'Deleting a memory that exists does not give true');
    expectEqual(await store.deleteMemory('ada', 'one'), false, 'Deleting a memory twice does not give false');
    expectEqual(await read(store, 'one'), undefined, 'A deleted memory can be read');
    expectEqual(await listIds(store), ['two'], 'A deleted memory is listed');
    await store.putMemories('grace', [createRecord({ id: 'one' })]);
    expectEqual(await listIds(store, 'grace'), ['one'], 'The id of a deleted memory cannot be used again');
  },

  async 'deletes no unknown memory and none of another account'({ store, seed }) {
    await seed('ada', [createRecord({ id: 'one' }), createRecord({ id: '\ufffd' })]);
    await seed('grace', []);
    const attempts = [
      ['ada', 'unknown'],
      ['grace', 'one'],
      ['nobody', 'one'],
      ['ada', '\ud800'],
      ['ada', '%'],
    ] as const;
    for (const [userId, memoryId] of attempts) {
      const isDeleted = await store.deleteMemory(userId, memoryId);
      expectEqual(isDeleted, false, `Account ${userId} can delete ${JSON.stringify(memoryId)}, which is not its own`);
    }
    expectEqual(await listIds(store), ['\ufffd', 'one'], 'A memory was deleted by an attempt that was refused');
  },

  async 'keeps a listing whole while memories are deleted'({ store, seed }) {
    const records = createManyRecords();
    await seed('ada', records);
    const listed: string[] = [];
    const isDeleted = (index: number) => index % 10 === 3 || (index > 150 && index < 450);
    for await (const { id } of store.listMemories({ userId: 'ada' })) {
      listed.push(id);
      if (listed.length !== 50) continue;
      for (const [index, record] of records.entries()) if (isDeleted(index)) await store.deleteMemory('ada', record.id);
    }
    const kept = records.filter((_, index) => !isDeleted(index)).map(({ id }) => id);
    const keptIds = new Set(kept);
    expectFullList(
      listed.filter((id) => keptIds.has(id)),
      kept,
    );
    expectEqual(new Set(listed).size, listed.length, 'A memory is listed twice while others are deleted');
  },
};

async function read(store: WritableStore, memoryId: string) {
  const memory = await store.getMemory({ userId: 'ada', memoryId });
  return memory && readable(memory);
}
