import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listAll } from '@memory-read/test-kit/memory-service';
import { expect, test } from 'vitest';
import { startSilentPostgres } from '../testing/fake-postgres.ts';
import { memoryLine } from '../testing/memory-lines.ts';
import { expectFailure, runCli, startCli, temporaryDirectory } from '../testing/run-cli.ts';
import { withStore } from '../testing/sqlite-file.ts';

test('stores the memories of a file and counts them, repeated ids and date-times that lost digits', async () => {
  const { db, file } = workspace(
    `\uFEFF${memoryLine({ name: 'First', ended_at: '2026-03-01T08:10:00.0001Z' })}\r\n\r\n${memoryLine({ id: 'mem_2', started_at: '2026-03-02T08:00:00.1234Z' })}\n  \n${memoryLine({ name: 'Second' })}`,
  );
  const { code, stdout, stderr } = await importFile(file, db);
  expect(stderr).toBe(`Created ${db}.\n`);
  expect(JSON.parse(stdout)).toEqual({ event: 'imported', memories: 2, duplicates: 1, shortenedDateTimes: 1 });
  expect(code).toBe(0);
  const memories = await readMemories(db, 'user_1');
  expect(memories.map(({ id, name }) => [id, name])).toEqual([
    ['mem_2', 'Morning'],
    ['mem_1', 'Second'],
  ]);
});

test('checks every line and creates no database with --dry-run', async () => {
  const { db, file } = workspace([memoryLine(), memoryLine(), memoryLine({ id: 'mem_2' })].join('\n'));
  const args = ['import', file, '--account', 'user_1', '--db', db, '--dry-run'];
  expect(await runCli(args)).toEqual({
    code: 0,
    stdout: '{"event":"imported","dryRun":true,"memories":2,"duplicates":1,"shortenedDateTimes":0}\n',
    stderr: '',
  });
  writeFileSync(file, [memoryLine(), '', memoryLine({ id: 'mem_2', started_at: 'noon' })].join('\n'));
  const reason = `Failed to import ${file}: line 3: started_at expected an ISO 8601 date-time. Correct the line. Nothing was stored.\n`;
  await expectFailure(runCli(args), 1, reason);
  expect(existsSync(db)).toBe(false);
  await expectFailure(importFile(file, db), 1, reason);
  expect(await readMemories(db, 'user_1')).toEqual([]);
});

test('reads standard input as -', async () => {
  const { db } = workspace('');
  const { code } = await runCli(['import', '-', '--account', 'user_1', '--db', db], { input: memoryLine() });
  expect(code).toBe(0);
  expect(await readMemories(db, 'user_1')).toHaveLength(1);
});

test('rejects a line that is nested 200,000 deep, and names the field', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const { db, file } = workspace(memoryLine().replace('"Morning"', deep));
  await expectFailure(
    importFile(file, db),
    1,
    `Failed to import ${file}: line 1: name expected string, received array. Correct the line. Nothing was stored.\n`,
  );
});

test('rejects the whole import with --object-prefix for one object key without it, and names the line', async () => {
  const mediaOf = (audioKey: string, imageKey: string) => ({
    audio: { object_key: audioKey, content_type: 'audio/wav' },
    preview_image: { object_key: imageKey, content_type: 'image/png' },
  });
  const own = memoryLine({ media: mediaOf('ada/1.wav', 'ada/1.png') });
  const foreign = memoryLine({ id: 'mem_2', media: mediaOf('ada/2.wav', 'grace/2.png') });
  const similar = memoryLine({ id: 'mem_2', media: mediaOf('ada2/2.wav', 'ada/2.png') });
  const silent = memoryLine({ id: 'mem_3', media: {} });
  const { db, file } = workspace('');
  const args = ['import', file, '--account', 'ada', '--object-prefix', 'ada/', '--db', db];
  for (const [line, field] of [
    [foreign, 'preview_image'],
    [similar, 'audio'],
  ]) {
    writeFileSync(file, [own, '', line].join('\n'));
    await expectFailure(
      runCli(args),
      1,
      `Failed to import ${file}: line 3: media.${field}.object_key does not begin with "ada/". Correct the line. Nothing was stored.\n`,
    );
    expect(await readMemories(db, 'ada')).toEqual([]);
  }
  writeFileSync(file, [own, silent].join('\n'));
  expect(await runCli(args)).toMatchObject({ code: 0, stderr: '' });
  expect(await readMemories(db, 'ada')).toHaveLength(2);
});

test.each(['7', 'null', '{"media":7}', '{"media":{"audio":null}}', '{"media":{"audio":{"object_key":7}}}'])(
  'rejects %s with --object-prefix too',
  async (line) => {
    const { db, file } = workspace(line);
    await expectFailure(
      runCli(['import', file, '--account', 'ada', '--object-prefix', 'ada/', '--db', db]),
      1,
      /^Failed to import .*: line 1: .*\. Correct the line\. Nothing was stored\.\n$/,
    );
  },
);

test('keeps existing memories unchanged if a line is invalid', async () => {
  const { db, file } = workspace(memoryLine({ name: 'Before' }));
  await importFile(file, db);
  writeFileSync(file, `${memoryLine({ name: 'After' })}\n{"id":`);
  await expectFailure(importFile(file, db), 1, /line 2: it is not valid JSON/);
  expect((await readMemories(db, 'user_1')).map(({ name }) => name)).toEqual(['Before']);
});

test('rejects a memory whose id belongs to another account', async () => {
  const { db, file } = workspace(memoryLine());
  await importFile(file, db);
  await expectFailure(
    importFile(file, db, 'user_2'),
    1,
    `Failed to import ${file}: another account owns the id "mem_1". Give the memory another one. Nothing was stored.\n`,
  );
  expect(await readMemories(db, 'user_2')).toEqual([]);
});

test('fails on a directory in place of a file', async () => {
  const { db } = workspace('');
  await expectFailure(
    importFile(dirname(db), db),
    1,
    /^Failed to use a file: EISDIR: .* Check its path and permissions\.\n$/,
  );
});

test('escapes names of fields and files that contain control characters', async () => {
  const { db } = workspace('');
  const input = memoryLine({ 'a\nFailed to import: all of it': 1, '\u001b[2J': 1 } as object);
  const { stderr } = await runCli(['import', '-', '--account', 'user_1', '--db', db], { input });
  expect(stderr).toMatch(/line 1: a\\nFailed to import: all of it is an unknown field, \\u001b\[2J is .*\n$/);
  const missing = await importFile('gone\u001b[31m\n', db);
  expect(missing.stderr).toMatch(/^Failed to import gone\\u001b\[31m\\n: it cannot be read \(ENOENT\)\..*\n$/);
});

test.each(['SIGINT', 'SIGTERM'] as const)('ends at once on %s while PostgreSQL does not respond', async (signal) => {
  const url = await startSilentPostgres();
  const { interrupt, result } = startCli(['import', '-', '--account', 'user_1', '--postgres', url.href]);
  await url.connected;
  interrupt(signal);
  const code = signal === 'SIGINT' ? 130 : 143;
  expect(await result).toEqual({ code, stdout: '', stderr: `Interrupted by ${signal}.\n` });
});

test('stores nothing when it is interrupted, and ends with 130', async () => {
  const { db } = workspace('');
  const { process, interrupt, result } = startCli(['import', '-', '--account', 'user_1', '--db', db]);
  await writeUntilRead(process.stdin, db);
  interrupt('SIGINT');
  interrupt('SIGINT');
  expect(await result).toEqual({ code: 130, stdout: '', stderr: 'Interrupted by SIGINT.\n' });
  expect(await readMemories(db, 'user_1')).toEqual([]);
});

function importFile(file: string, db: string, userId = 'user_1') {
  return runCli(['import', file, '--account', userId, '--db', db]);
}

function workspace(content: string): { db: string; file: string } {
  const directory = temporaryDirectory();
  const file = join(directory, 'memories.jsonl');
  writeFileSync(file, content);
  return { db: join(directory, 'memories.sqlite'), file };
}

function readMemories(path: string, userId: string) {
  return withStore(path, (store) => listAll(store, userId));
}

/** More bytes than the pipe and the stream can buffer, so that some have been read. The end never arrives. */
async function writeUntilRead(stdin: NodeJS.WritableStream, db: string): Promise<void> {
  const name = 'x'.repeat(1_500);
  const lines = Array.from({ length: 1_000 }, (_, index) => memoryLine({ id: `mem_${index}`, name }));
  if (!stdin.write(`${lines.join('\n')}\n`)) await once(stdin, 'drain');
  expect(existsSync(db)).toBe(true);
}
