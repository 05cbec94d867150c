import { beforeEach, expect, test } from 'vitest';
import { openSqliteDatabase } from './open-sqlite-database.ts';
import { explainSqliteError } from './sqlite-store-error.ts';
import { createTemporaryStoreFile } from './temporary-store-file.test-support.ts';

let path: string;

beforeEach(() => {
  const file = createTemporaryStoreFile();
  path = file.path;
  return file.remove;
});

test('the error for a full disk says so, and the transaction stores nothing', async () => {
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

test('the error for a disk that is too full to open the database says so', () => {
  const error = Object.assign(new Error('disk I/O error'), { errcode: 4874 });
  expect(explainSqliteError(error, 'use the SQLite store', 'store.sqlite')).toMatchObject({ code: 'disk_full' });
});

test('the error for a failing disk says so, in every step', () => {
  for (const errcode of [10, 10 | (3 << 8)]) {
    const error = Object.assign(new Error('disk I/O error'), { errcode });
    expect(explainSqliteError(error, 'use the SQLite store', 'store.sqlite')).toMatchObject({
      code: 'io_error',
      message:
        'Failed to use the SQLite store "store.sqlite": its disk failed to read or write. Check the disk, and try again.',
      cause: error,
    });
  }
});
