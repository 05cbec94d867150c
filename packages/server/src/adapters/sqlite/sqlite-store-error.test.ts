import { expect, test } from 'vitest';
import { openSqliteDatabase } from './open-sqlite-database.ts';
import { explainSqliteError } from './sqlite-store-error.ts';
import { temporaryStoreFile } from './temporary-store-file.test-support.ts';

test('the error for a full disk says so, and the transaction stores nothing', async () => {
  const path = temporaryStoreFile();
  const database = openSqliteDatabase(path);
  const filling = database.transaction((writer) => {
    writer.exec('PRAGMA max_page_count = 16');
    for (const letter of ['a', 'b']) writer.run('INSERT INTO accounts (user_id) VALUES (?)', letter.repeat(50_000));
  });
  await expect(filling).rejects.toMatchObject({
    name: 'SqliteStoreError',
    code: 'disk_full',
    message: `Failed to use the SQLite store ${JSON.stringify(path)}: the disk is full. Free some space, and try again.`,
    cause: expect.any(Error),
  });
  expect(database.all('SELECT user_id FROM accounts')).toEqual([]);
  database.close();
});

test.each([
  [4874, 'disk_full', 'the disk is full. Free some space, and try again.'],
  [10, 'io_error', 'its disk failed to read or write. Check the disk, and try again.'],
  [10 | (3 << 8), 'io_error', 'its disk failed to read or write. Check the disk, and try again.'],
])('the error with the result code %i is explained', (errcode, code, reason) => {
  const cause = Object.assign(new Error('disk I/O error'), { errcode });
  const message = `Failed to use the SQLite store "store.sqlite": ${reason}`;
  expect(explainSqliteError(cause, 'use the SQLite store', 'store.sqlite')).toMatchObject({ code, message, cause });
});
