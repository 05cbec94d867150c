import type { MemoryRecord } from '@memory-read/contract';
import type { MemoryStore } from '../ports/memory-store.ts';
import { collect, expectEqual, expectRejection } from './expectations.ts';
import type { StoreHarness, StoreRules } from './store-case.ts';
import { createRecord, createTranscript, expectedDetail, expectedListed, readable } from './test-records.ts';

/** Text that JSON can hold and many stores cannot. */
const hardText = 'NUL \0, lone \ud800 and \udc00, quotes \' " \\, line\u2028breaks\r\n, 😀, \ufeff, \uffff';
const hardIds = [
  ...['😀'.repeat(256), 'x'.repeat(256), "it's", '"quoted"', 'a%', 'a_', '100%25', 'a/b?c#d', '..%2f..', '\\'],
  ...[
    ' leading and trailing ',
    'é',
    'e\u0301',
    'A',
    'a',
    'null',
    '0',
    '-0',
    '1e3',
    '__proto__',
    'constructor',
    '\ufffd',
  ],
];

export const gettingRules: StoreRules<MemoryStore> = {
  async 'gets a memory with its transcript and summary'(harness) {
    await expectStored(harness, createRecord({ id: 'one' }));
  },

  async 'keeps null for a transcript and a summary that are not there'(harness) {
    await expectStored(harness, createRecord({ id: 'one', is_processing: true, transcript: null, summary: null }));
    const memory = await harness.store.getMemory({ userId: 'ada', memoryId: 'one' });
    expectEqual(
      [memory?.transcriptJson, memory?.summaryJson],
      [null, null],
      'An absent transcript or summary is not null',
    );
  },

  async 'keeps every kind of media, and none'(harness) {
    const media = {
      audio: { object_key: 'ada/one/sound é 😀.webm', content_type: 'audio/webm; codecs="opus, vorbis"' },
      video: { object_key: "it's/100%/video?.mp4", content_type: 'video/mp4' },
      preview_image: { object_key: 'p', content_type: 'image/png' },
    };
    await expectStored(harness, createRecord({ id: 'all', media }));
    await expectStored(harness, createRecord({ id: 'video only', media: { video: media.video } }));
    await expectStored(harness, createRecord({ id: 'none', media: {} }));
  },

  async 'keeps any JSON text in transcript and summary'(harness) {
    const transcript = createTranscript(hardText);
    const summary = { quick_summary: hardText, key_takeaways: [hardText, ''], [hardText]: { deep: [hardText, 1e21] } };
    await expectStored(harness, createRecord({ id: 'hard', transcript, summary }));
    await expectStored(harness, createRecord({ id: 'empty', transcript: { segments: [] } }));
  },

  async 'keeps a transcript of a megabyte'(harness) {
    const transcript = createTranscript('long 😀 '.repeat(125_000));
    await expectStored(harness, createRecord({ id: 'long', transcript }));
  },

  async 'keeps every safe integer from zero on as duration'(harness) {
    for (const duration of [0, 1, 2 ** 31, 2 ** 51 + 1, Number.MAX_SAFE_INTEGER]) {
      await expectStored(harness, createRecord({ id: `duration ${duration}`, duration_seconds: duration }));
    }
  },

  async 'keeps ids and names of any storable text apart'({ store, seed }) {
    await seed(
      'ada',
      hardIds.map((id) => createRecord({ id, name: `Name of ${id}\n` })),
    );
    for (const memoryId of hardIds) {
      const memory = await store.getMemory({ userId: 'ada', memoryId });
      const expected = [memoryId, `Name of ${memoryId}\n`];
      expectEqual([memory?.id, memory?.name], expected, `Memory ${JSON.stringify(memoryId)} is not found by its id`);
    }
  },

  async 'finds nothing under an id that only resembles a stored one'({ store, seed }) {
    await seed('ada', [createRecord({ id: '\ufffd' }), createRecord({ id: 'mem_1' }), createRecord({ id: 'e\u0301' })]);
    for (const memoryId of ['\ud800', 'MEM_1', 'mem%', 'mem_1 ', 'mem_1\0', 'mem', 'mem_10', 'é', '', '%', '_']) {
      const memory = await store.getMemory({ userId: 'ada', memoryId });
      expectEqual(memory, undefined, `Id ${JSON.stringify(memoryId)}, which nobody stored, finds a memory`);
    }
  },

  async 'gets no memory of another account'({ store, seed }) {
    await seed('ada', [createRecord({ id: 'of ada' })]);
    await seed('grace', [createRecord({ id: 'of grace' })]);
    for (const userId of ['grace', 'ADA', 'ada ', '%', '', '\ud800', "ada' --"]) {
      const memory = await store.getMemory({ userId, memoryId: 'of ada' });
      expectEqual(memory, undefined, `Account ${JSON.stringify(userId)} gets the memory of another account`);
    }
  },

  async 'rejects a read with the reason of its signal'({ store, seed }) {
    await seed('ada', [createRecord({ id: 'one' })]);
    const reason = new Error('The caller went away');
    const read = store.getMemory({ userId: 'ada', memoryId: 'one', signal: AbortSignal.abort(reason) });
    const error = await expectRejection(read, 'A read whose signal is aborted does not reject');
    expectEqual(error === reason, true, 'An aborted read does not reject with the reason of its signal');
  },
};

/** Stores the record and compares the results of `getMemory` and `listMemories`. */
async function expectStored({ store, seed }: StoreHarness<MemoryStore>, record: MemoryRecord): Promise<void> {
  await seed('ada', [record]);
  const memory = await store.getMemory({ userId: 'ada', memoryId: record.id });
  expectEqual(memory && readable(memory), expectedDetail('ada', record), 'A memory is not read as it was stored');
  const listed = await collect(store.listMemories({ userId: 'ada' }));
  const found = listed.find(({ id }) => id === record.id);
  expectEqual(found && readable(found), expectedListed('ada', record), 'A memory is not listed as it was stored');
}
