import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSqliteDatabase } from './open-sqlite-database.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { temporaryStoreFile } from './temporary-store-file.test-support.ts';

let path: string;
let database: SqliteDatabase;

beforeEach(() => {
  path = temporaryStoreFile();
  database = openSqliteDatabase(path);
});

afterEach(() => {
  vi.useRealTimers();
  database.close();
});

test('a transaction is stored as a whole or not at all', async () => {
  await expect(insert('ada', 'ada')).rejects.toThrow(/UNIQUE/);
  expect(userIds()).toEqual([]);
  await insert('ada');
  expect(userIds()).toEqual(['ada']);
});

test('a transaction begins and ends in the turn of its call if no other one is in flight', () => {
  void insert('ada');
  expect(userIds()).toEqual(['ada']);
});

test('an asynchronous transaction is stored as a whole or not at all, and no read sees a part of it', async () => {
  const seen: unknown[] = [];
  for (const last of ['ada', 'grace']) {
    const writing = database.transaction(async (writer) => {
      writer.run(insertSql, 'ada');
      await setImmediate();
      seen.push(userIds());
      writer.run(insertSql, last);
      return last;
    });
    await (last === 'ada' ? expect(writing).rejects.toThrow(/UNIQUE/) : expect(writing).resolves.toBe('grace'));
    seen.push(userIds());
  }
  expect(seen).toEqual([[], [], [], ['ada', 'grace']]);
});

test('transactions run one after another in the order of their calls, and a failed one stops no other', async () => {
  const order: string[] = [];
  const call = (name: string, isFailing = false) =>
    database
      .transaction(async () => {
        order.push(`${name} begins`);
        await setImmediate();
        order.push(`${name} ends`);
        if (isFailing) throw new Error(name);
      })
      .catch(() => {});
  const calls = [call('first'), call('second', true), call('third')];
  await calls[0];
  await Promise.all([...calls, call('fourth')]);
  const names = ['first', 'second', 'third', 'fourth'];
  expect(order).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('what needs no lock runs while a transaction waits for it, but not while another one is open', async () => {
  const unlock = lockFile();
  const order: string[] = [];
  const waiting = database.transaction(async () => {
    order.push('open');
    await setImmediate();
    order.push('end');
  });
  await database.betweenTransactions(() => order.push('while it waits'));
  unlock();
  while (order.length < 2) await setImmediate();
  await database.betweenTransactions(() => order.push('after it'));
  await waiting;
  expect(order).toEqual(['while it waits', 'open', 'end', 'after it']);
});

test('transactions that wait for 5 seconds fail, also behind others, and later ones can succeed', async () => {
  vi.useFakeTimers();
  const unlock = lockFile();
  let failed = 0;
  const calls = ['ada', 'grace', 'linus'].map((id) =>
    insert(id).catch((error: unknown) => {
      failed += 1;
      return error;
    }),
  );
  await vi.advanceTimersByTimeAsync(4_990);
  expect(failed).toBe(0);
  await vi.advanceTimersByTimeAsync(20);
  expect(failed).toBe(3);
  for (const error of await Promise.all(calls)) {
    expect(error).toMatchObject({
      name: 'SqliteStoreError',
      code: 'busy',
      message: `Failed to use the SQLite store ${JSON.stringify(path)}: another process is writing to it. Try again when that process has finished.`,
    });
  }
  const later = insert('later');
  await vi.advanceTimersByTimeAsync(4_000);
  unlock();
  await vi.advanceTimersByTimeAsync(10);
  await later;
  expect(userIds()).toEqual(['later']);
});

test('the time of an own transaction does not count as a wait for another process', async () => {
  vi.useFakeTimers();
  const long = database.transaction(() => new Promise((resolve) => setTimeout(resolve, 60_000)));
  const next = insert('ada');
  let unlock = () => {};
  const other = long.then(() => {
    unlock = lockFile();
  });
  await vi.advanceTimersByTimeAsync(64_000);
  await other;
  unlock();
  await vi.advanceTimersByTimeAsync(10);
  await next;
  expect(userIds()).toEqual(['ada']);
});

test('a database that is closed rejects transactions that are open or wait, and stores nothing of them', async () => {
  const closed = { name: 'SqliteStoreError', code: 'closed' };
  const open = database.transaction(async (writer) => {
    writer.run(insertSql, 'ada');
    await setImmediate();
    writer.run(insertSql, 'grace');
  });
  const waiting = insert('linus');
  database.close();
  await expect(open).rejects.toMatchObject(closed);
  await expect(waiting).rejects.toMatchObject(closed);
  database = openSqliteDatabase(path);
  expect(userIds()).toEqual([]);
});

const insertSql = 'INSERT INTO accounts (user_id) VALUES (?)';

function insert(...ids: string[]): Promise<void> {
  return database.transaction((writer) => {
    for (const id of ids) writer.run(insertSql, id);
  });
}

function userIds(): unknown[] {
  return database.all('SELECT user_id FROM accounts ORDER BY rowid').map((row) => row.user_id);
}

/** Takes the lock of the file, as a process does that writes. The returned function releases it. */
function lockFile(): () => void {
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  return () => {
    other.exec('COMMIT');
    other.close();
  };
}
