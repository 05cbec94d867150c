import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Mirror, openMirror } from '../index.ts';
import { openAccount, saidRecord } from '../testing/open-account.ts';
import { readRow } from '../testing/own-database.ts';

/** A mirror of two memories, and a reader of another process, which is always connected. */
async function openWithReader() {
  const folder = makeFolder();
  const account = await openAccount();
  const mirror = await openMirror({ folder });
  await account.put(saidRecord('kept'), saidRecord('purged'));
  await mirror.sync(account.clientOf('https://api.example.com'));
  const reader = new DatabaseSync(join(folder, 'mirror.sqlite'), { readOnly: true });
  const read = () => reader.prepare('SELECT count(*) FROM memories').get();
  read();
  onTestFinished(async () => {
    reader.close();
    await mirror.close();
  });
  await account.put(saidRecord('added'));
  const sync = () => mirror.sync(account.clientOf('https://api.example.com'));
  return { folder, mirror, reader, read, sync };
}

/** Returns what a copy of the database file alone has. */
async function inCopy(folder: string) {
  const copy = makeFolder();
  copyFileSync(join(folder, 'mirror.sqlite'), join(copy, 'mirror.sqlite'));
  const mirror = await openMirror({ folder: copy });
  const { memories } = await mirror.listMemories();
  await mirror.close();
  const { zone } = readRow(copy, "SELECT max(value) AS zone FROM settings WHERE name = 'time_zone'") ?? {};
  return { ids: memories.map(({ memory }) => memory.id).sort(), zone };
}

const runs: [string, (mirror: Mirror, sync: () => Promise<{ logPending: boolean }>) => Promise<unknown>, object][] = [
  ['sync', (_, sync) => sync(), { ids: ['added', 'kept', 'purged'] }],
  ['writePages', (mirror) => mirror.writePages({ timeZone: 'Asia/Tokyo' }), { zone: 'Asia/Tokyo' }],
  ['purge', (mirror) => mirror.purge('purged'), { ids: ['kept'] }],
];

describe.each(runs)('%s', (_, run, expected) => {
  test('leaves nothing in the log beside a connected reader', async () => {
    const { folder, mirror, sync } = await openWithReader();
    expect(await run(mirror, sync)).toMatchObject({ logPending: false });
    expect(await inCopy(folder)).toMatchObject(expected);
  });

  test('leaves nothing in the log if it is closed after another program has read', async () => {
    const { folder, mirror, reader, read, sync } = await openWithReader();
    reader.exec('BEGIN');
    read();
    // A purge rejects with busy, because its bytes stay in the log.
    await run(mirror, sync).then(
      (report) => expect(report).toMatchObject({ logPending: true }),
      (error) => expect(error).toMatchObject({ code: 'busy' }),
    );
    reader.exec('COMMIT');
    await mirror.close();
    expect(await inCopy(folder)).toMatchObject(expected);
  });
});

test('a reader of the newest state does not count, because the file is complete', async () => {
  const { folder, mirror, reader, read, sync } = await openWithReader();
  await sync();
  reader.exec('BEGIN');
  read();
  expect(await mirror.writePages({ timeZone: 'Asia/Tokyo' })).toMatchObject({ logPending: true });
  reader.exec('COMMIT; BEGIN');
  read();
  expect(await mirror.writePages({ timeZone: 'Asia/Tokyo' })).toMatchObject({ logPending: false });
  expect(await inCopy(folder)).toMatchObject({ zone: 'Asia/Tokyo' });
});
