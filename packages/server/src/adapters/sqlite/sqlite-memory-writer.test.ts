import { expect, test } from 'vitest';
import { createManyRecords, createRecord } from '../../testing/test-records.ts';
import { openSqliteDatabase } from './open-sqlite-database.ts';
import { createSqliteAccounts } from './sqlite-accounts.ts';
import { createSqliteMemoryWriter } from './sqlite-memory-writer.ts';
import { createTemporaryStoreFile } from './temporary-store-file.test-support.ts';

test('no batch leaves its records in the temporary table, stored or refused', async () => {
  const { path, remove } = createTemporaryStoreFile();
  const database = openSqliteDatabase(path);
  await createSqliteAccounts(database).putAccount({ userId: 'ada' });
  const writer = createSqliteMemoryWriter(database);

  await writer.putMemories('ada', createManyRecords(3));
  await expect(writer.putMemories('ada', [createRecord({ id: 'fine' }), createRecord({ id: '..' })])).rejects.toThrow();
  expect(database.get('SELECT count(*) AS count FROM staged')).toEqual({ count: 0 });
  expect(database.get('SELECT count(*) AS count FROM memories')).toEqual({ count: 3 });

  database.close();
  remove();
});
