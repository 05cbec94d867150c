import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createPostgresDatabase } from './postgres-database.ts';
import { statements } from './statements.ts';

test('a transaction begins, limits its statements, commits, and releases its connection', async () => {
  const { database, connection } = createFake();
  expect(await database.transaction(async (query) => (await query('ONE', [1])).length)).toBe(0);
  expect(connection.sent).toEqual(['BEGIN', 'SET LOCAL statement_timeout = 1000', 'ONE', 'COMMIT']);
  expect(connection.released).toEqual([false]);
  expect(connection.listenerCount('error')).toBe(0);
});

test('an error of the body rolls back, and is thrown unchanged', async () => {
  const { database, connection } = createFake();
  const reason = Object.assign(new Error('The file is gone'), { code: 'ENOENT' });
  await expect(database.transaction(() => Promise.reject(reason))).rejects.toBe(reason);
  expect(connection.sent.at(-1)).toBe('ROLLBACK');
  expect(connection.released).toEqual([false]);
});

test.each(['TWO', 'COMMIT'])('a serialization failure of %s ends a transaction, which is not repeated', async (sql) => {
  const { database, connection } = createFake({ [sql]: '40001' });
  const body = database.transaction((query) => query('ONE').then(() => query('TWO')));
  await expect(body).rejects.toMatchObject({ name: 'PostgresStoreError', code: 'conflict' });
  expect(connection.sent.filter((text) => text === 'BEGIN')).toHaveLength(1);
  expect(connection.sent.at(-1)).toBe('ROLLBACK');
  expect(connection.released).toEqual([false]);
});

test('closes a connection that cannot be rolled back', async () => {
  const { database, connection } = createFake({ ROLLBACK: '57P01', COMMIT: '57P01' });
  await expect(database.transaction(async () => {})).rejects.toMatchObject({ code: 'unreachable' });
  expect(connection.released).toEqual([true]);
});

test('reports why a connection broke between two statements', async () => {
  const { database, connection } = createFake({ TWO: '', ROLLBACK: '' });
  const cause = Object.assign(new Error('terminating connection'), { code: '57P01' });
  const body = database.transaction(async (query) => {
    await query('ONE');
    connection.emit('error', cause);
    await query('TWO');
  });
  await expect(body).rejects.toMatchObject({ name: 'PostgresStoreError', code: 'unreachable', cause });
  expect(connection.released).toEqual([true]);
});

test('the error for a pool without a free connection says what to do', async () => {
  const refused = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
  const database = createPostgresDatabase({ pool: { query: refused, connect: refused }, name: 'the store' });
  const expected = { message: expect.stringMatching(/^Failed to use the store: the connection was refused\./) };
  await expect(database.query('ONE')).rejects.toMatchObject(expected);
  await expect(database.transaction(async () => {})).rejects.toMatchObject(expected);
});

test.each(['42P01', '42703'])(
  'after a failure with %s, looks for a newer version outside of the transaction',
  async (code) => {
    const { database, connection } = createFake({ ONE: code }, { [statements.readVersion]: [{ version: 9 }] });
    const newer = { name: 'PostgresStoreError', code: 'newer_version', cause: expect.objectContaining({ code }) };
    await expect(database.query('ONE')).rejects.toMatchObject(newer);
    await expect(database.transaction((query) => query('ONE'))).rejects.toMatchObject(newer);
    expect(connection.sent.slice(-2)).toEqual(['ROLLBACK', statements.readVersion]);
    const { database: current } = createFake({ ONE: code }, { [statements.readVersion]: [{ version: 1 }] });
    await expect(current.query('ONE')).rejects.toMatchObject({ code: 'not_migrated' });
    await expect(current.transaction((query) => query('ONE'))).rejects.toMatchObject({ code: 'not_migrated' });
  },
);

/** A connection that fails with these codes, and returns these rows. */
function createFake(failures: Record<string, string> = {}, rows: Record<string, Record<string, unknown>[]> = {}) {
  const sent: string[] = [];
  const released: (boolean | undefined)[] = [];
  const connection = Object.assign(new EventEmitter(), {
    ...{ sent, released, release: (destroy?: boolean) => void released.push(destroy) },
    async query(text: string) {
      sent.push(text);
      const code = failures[text];
      if (code !== undefined) throw Object.assign(new Error(`${text} failed`), { code });
      return { rows: rows[text] ?? [] };
    },
  });
  const pool = { query: (text: string) => connection.query(text), connect: async () => connection };
  return { connection, database: createPostgresDatabase({ pool, name: 'the store', statementTimeout: 1_000 }) };
}
