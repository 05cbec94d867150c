import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveInFolder } from '../testing/archive-in-folder.ts';
import { audio, createAccount } from '../testing/create-account.ts';

const { inFolder, run, traces } = archiveInFolder();

test('whatever the names of memories, their files are in the folder', async () => {
  const names = [
    '../../escape',
    '/etc/passwd',
    '..',
    'a\u0000b',
    '\u202egpj.exe',
    '-rf',
    '.ssh',
    'CON',
    '',
    'x'.repeat(500),
  ];
  const account = await createAccount(...names.map((_name, index) => ({ id: `mem_${index}`, media: audio })));
  account.change = (memory) => ({ ...memory, name: names[Number(memory.id.slice(4))] ?? '' });
  expect(await run(account)).toMatchObject({ counts: { failed: 0, saved: names.length * 4 } });
  const files = readdirSync(inFolder(), { recursive: true }) as string[];
  expect(files).toHaveLength(names.length * 4 + 3);
  expect(files.filter((name) => /^[-.]/.test(name))).toEqual(['.memory-read', '.memory-read/lock']);
});

test('follows no link out of the folder', async () => {
  const account = await createAccount({ media: audio });
  const outside = mkdtempSync(join(tmpdir(), 'memory-read-outside-'));
  writeFileSync(join(outside, 'precious'), 'precious');
  symlinkSync(join(outside, 'precious'), inFolder('Morning 22132404.json'));
  symlinkSync(join(outside, 'new'), inFolder('Morning 22132404.audio.wav'));
  const { failures } = await run(account);
  expect(failures).toHaveLength(2);
  expect(failures[0]).toContain('it is a symbolic link');
  symlinkSync(join(outside, 'precious'), inFolder('.memory-read', 'journal.jsonl'));
  await expect(run(account)).rejects.toThrow('it is a symbolic link');
  rmSync(inFolder('.memory-read', 'journal.jsonl'));
  rmSync(inFolder('.memory-read', 'lock'));
  symlinkSync(join(outside, 'lock'), inFolder('.memory-read', 'lock'));
  await expect(run(account)).rejects.toThrow('it is not a file. Remove it.');
  rmSync(inFolder('.memory-read', 'lock'));
  renameSync(inFolder('memory-read.json'), join(outside, 'manifest'));
  symlinkSync(join(outside, 'manifest'), inFolder('memory-read.json'));
  await expect(run(account)).rejects.toThrow('it is a symbolic link');
  rmSync(inFolder('.memory-read'), { recursive: true });
  mkdirSync(join(outside, 'work'));
  symlinkSync(join(outside, 'work'), inFolder('.memory-read'));
  await expect(run(account)).rejects.toThrow('it is not a folder. Remove it.');
  expect(readdirSync(outside, { recursive: true }).sort()).toEqual(['manifest', 'precious', 'work']);
  expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('precious');
  rmSync(outside, { recursive: true });
});

test('rejects a folder of another account, and does not change it', async () => {
  const account = await createAccount({});
  await run(account);
  const before = traces();
  account.change = (memory) => ({ ...memory, user_id: 'user_2' });
  await expect(run(account)).rejects.toThrow('it holds memories of another account. Choose another folder.');
  expect(traces()).toEqual(before);
});

test.each([
  ['{"version":2}', 'it was written by a newer version (2). Update memory-read.'],
  ['{}', 'it was not written by memory-read. Choose another folder, or remove the file.'],
  ['nonsense', 'it was not written by memory-read.'],
  [
    '{"version":1,"memories":[{"id":"mem_1","name":"","stem":"../x","files":{},"seen":{}}]}',
    'it was not written by memory-read',
  ],
  [
    '{"version":1,"memories":[{"id":"mem_1","name":"","stem":"x","files":{"json":{"path":"a/../../x"}},"seen":{}}]}',
    'it was not written by memory-read',
  ],
  [
    '{"version":1,"memories":[{"id":"1","name":"","stem":"x","files":{"json":{"path":"x","pending":{"source":"../x"}}},"seen":{}}]}',
    'it was not written by memory-read',
  ],
])('rejects the manifest %j before any request', async (text, problem) => {
  const account = await createAccount({});
  writeFileSync(inFolder('memory-read.json'), text);
  await expect(run(account)).rejects.toThrow(problem);
  expect(account.requests).toEqual([]);
  expect(readdirSync(inFolder()).sort()).toEqual(['.memory-read', 'memory-read.json']);
});

test('of two parallel runs, the second one ends with a message and changes nothing', async () => {
  const account = await createAccount({});
  let second: Promise<unknown> | undefined;
  account.intercept = (path) => {
    if (path.endsWith('mem_1')) second ??= run(account).catch((error) => error);
    return undefined;
  };
  expect(await run(account)).toMatchObject({ counts: { saved: 3 } });
  expect(await second).toMatchObject({
    exitCode: 1,
    message: `Failed to use ${JSON.stringify(inFolder())}: another memory-read is using it. Wait until it has finished, then run the command again.`,
  });
});

test('saves a memory that is listed twice once', async () => {
  const account = await createAccount({}, { id: 'mem_2' });
  account.change = (memory) => ({ ...memory, id: 'mem_1' });
  expect(await run(account)).toMatchObject({ counts: { memories: 1, saved: 3 } });
});
