import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { beforeEach, describe, expect, test } from 'vitest';
import { audio, openAccount, saidRecord, type TestAccount } from '../testing/open-account.ts';
import { openForTest } from '../testing/open-for-test.ts';
import { changeDatabase, readRow } from '../testing/own-database.ts';

let account: TestAccount;
let outside: string;
let folder: string;

beforeEach(async () => {
  account = await openAccount();
  outside = makeFolder();
  folder = join(outside, 'deep', 'mirror');
  await account.put(saidRecord('mem_a', ['One.'], { media: audio }), saidRecord('mem_b', ['Two.'], { media: audio }));
  const mirror = await open();
  await mirror.sync(client(), { media: true });
  await mirror.close();
  mkdirSync(join(outside, 'media'));
  for (const name of ['own.wav', 'media/own.wav']) writeFileSync(join(outside, name), 'mine');
});

const client = () => account.clientOf('https://api.example.com');
const filesOutside = () => readdirSync(outside, { recursive: true }).filter((path) => !String(path).startsWith('deep'));

const open = () => openForTest({ folder });

const change = (sql: string, ...values: string[]) => changeDatabase(folder, sql, ...values);

describe('a path of a recording in a database that another program wrote is not used', () => {
  test.each([
    '../../own.wav',
    'media/../../../own.wav',
    'media/22132404d6ef307bd60429c0/../../../../own.wav',
    'media/22132404d6ef307bd60429c0/./own.wav',
    'media//own.wav',
    '/own.wav',
    'media\\..\\own.wav',
    'media/22132404d6ef307bd60429c0/..\\own.wav',
    'media/22132404d6ef307bd60429c0/own.wav\0',
    'pages/own.wav',
    '.',
    '',
  ])('%j', async (path) => {
    const before = filesOutside();
    change(
      "UPDATE media SET path = ? WHERE memory_key = (SELECT memory_key FROM memories WHERE memory_id = 'mem_a')",
      path,
    );
    const mirror = await open();
    expect((await mirror.getMemory('mem_a'))?.media).toEqual({});
    expect((await mirror.getMemory('mem_b'))?.media.audio).toBeDefined();
    await mirror.writePages({ timeZone: 'UTC' });
    await mirror.exportFiles(join(folder, '..', 'exported'), { formats: ['srt'], media: true, copy: true });
    for await (const record of mirror.exportRecords()) {
      if (record.id === 'mem_a') expect(record.media).toEqual({});
    }
    expect(await mirror.sync(client(), { media: true })).toMatchObject({ mediaSaved: 1, failed: [] });
    expect((await mirror.check()).damaged.filter((damage) => damage.path !== path)).toEqual([]);
    await mirror.purge('mem_a');
    expect(filesOutside()).toEqual(before);
  });
});

test.each(['../..', '../../media', '/', '.', '', 'media', 'media/../../../media', 'media/22132404d6ef307bd60429c0/..'])(
  'a purge of the folder %j removes nothing',
  async (path) => {
    change('INSERT INTO pending_purges (memory_key, media_folder) VALUES (99, ?)', path);
    const before = filesOutside();
    const mirror = await open();
    await mirror.writePages({ timeZone: 'UTC' });
    expect(filesOutside()).toEqual(before);
    expect((await mirror.getMemory('mem_a'))?.media.audio?.path).toSatisfy((own: string) =>
      existsSync(join(folder, own)),
    );
  },
);

test('a sync with the client of another server or account finishes no purge', async () => {
  const mirror = await open();
  change("INSERT INTO pending_purges (memory_key, media_folder) VALUES (99, 'media/22132404d6ef307bd60429c0')");
  const pending = () => readRow(folder, 'SELECT count(*) AS count FROM pending_purges')?.count;
  const other = mirror.sync(account.clientOf('https://other.example.com'));
  await expect(other).rejects.toMatchObject({ code: 'other_server' });
  account.change = (memory) => ({ ...memory, user_id: 'user_2' });
  await expect(mirror.sync(client())).rejects.toMatchObject({ code: 'other_account' });
  expect(pending()).toBe(1);
  account.change = (memory) => memory;
  await mirror.sync(client());
  expect(pending()).toBe(0);
});
