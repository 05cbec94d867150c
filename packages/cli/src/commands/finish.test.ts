import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { expectFailure, runCli } from '../testing/run-cli.ts';
import { newDatabase, storeMemories, withStore } from '../testing/sqlite-file.ts';

const summary = { quick_summary: 'Short', key_takeaways: [] };
const result = JSON.stringify({ transcript: { segments: [] }, summary });

test('finishes a memory with the transcript and summary of a file', async () => {
  const { db, directory } = await createStorage();
  const file = join(directory, 'result.json');
  writeFileSync(file, result);
  const { code, stdout } = await runCli(['finish', 'mem_1', file, '--account', 'user_1', '--db', db]);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { event: 'finished', memoryId: 'mem_1', userId: 'user_1', shortenedDateTimes: 0 },
  ]);
  expect(await readMemory(db)).toMatchObject({
    is_processing: false,
    transcriptJson: '{"segments":[]}',
    summaryJson: JSON.stringify(summary),
  });
});

test('reads the result from standard input, even with a byte order mark, and counts shortened date-times', async () => {
  const { db } = await createStorage();
  const finish = (input: string) => runCli(['finish', 'mem_1', '-', '--account', 'user_1', '--db', db], { input });
  const times = { start_at: '2026-01-01T00:00:00.1234Z', end_at: '2026-01-01T00:00:00.9999Z' };
  const input = JSON.stringify({ transcript: { segments: [{ speaker: 'S', ...times, text: '' }] }, summary: null });
  expect(JSON.parse((await finish(input)).stdout)).toMatchObject({ event: 'finished', shortenedDateTimes: 2 });
  expect((await finish('\uFEFF{"transcript":null,"summary":null}')).code).toBe(0);
  expect(await readMemory(db)).toMatchObject({ is_processing: false, transcriptJson: null, summaryJson: null });
});

test.each([
  ['mem_2', 'user_1'],
  ['mem_1', 'user_2'],
])('ends with 4 if the memory %s of %s does not exist', async (memoryId, userId) => {
  const { db } = await createStorage();
  await expectFailure(
    runCli(['finish', memoryId, '-', '--account', userId, '--db', db], { input: result }),
    4,
    `Failed to finish "${memoryId}": the account ${JSON.stringify(userId)} has no such memory. Check both ids.\n`,
  );
  expect(await readMemory(db)).toMatchObject({ is_processing: true });
});

test.each([
  ['{"transcript": "hush', /^Failed to read the result from standard input: it is not valid JSON\. Pass /],
  [new Uint8Array([0x22, 0xff, 0x22]), /it is not valid JSON\. Pass /],
  ['null', /it is not an object with only the fields transcript and summary\./],
  ['[]', /it is not an object with/],
  ['{"transcript":null}', /it is not an object with/],
  ['{"transcript":null,"summary":null,"text":"hush"}', /it is not an object with/],
  ['{"transcript":null,"summary":{"quick_summary":1}}', /^Failed to store memory "mem_1": summary\.quick_summary /],
])('stores nothing of %j', async (input, message) => {
  const { db } = await createStorage();
  const stderr = await expectFailure(
    runCli(['finish', 'mem_1', '-', '--account', 'user_1', '--db', db], { input }),
    1,
    message,
  );
  expect(stderr).not.toContain('hush');
  expect(await readMemory(db)).toMatchObject({ is_processing: true });
});

async function createStorage() {
  const db = newDatabase();
  await storeMemories(db, 'user_1', [{ is_processing: true }]);
  return { db, directory: dirname(db) };
}

function readMemory(path: string) {
  return withStore(path, (store) => store.getMemory({ userId: 'user_1', memoryId: 'mem_1' }));
}
