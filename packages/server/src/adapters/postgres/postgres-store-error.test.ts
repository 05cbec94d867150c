import { expect, test } from 'vitest';
import { explainPostgresError, PostgresStoreError } from './postgres-store-error.ts';

test.each([
  ['ECONNREFUSED', 'unreachable', 'the connection was refused. Check its address, and that PostgreSQL is running.'],
  ['3D000', 'unknown_database', 'the database does not exist. Create it, or correct its name.'],
  ['3F000', 'unknown_database', 'no schema exists for its tables. Create the schema first.'],
  [
    '42P01',
    'not_migrated',
    'its tables are missing. Restore a backup, or create them with migratePostgresStore, as memory-read does when it starts.',
  ],
  ['25006', 'not_writable', 'the database is read-only. Use the primary server.'],
  ['40P01', 'conflict', 'another transaction changed the same rows. Try again.'],
  ['57P01', 'unreachable', 'the connection was lost. Try again.'],
  ['22P05', 'wrong_encoding', 'its encoding does not support all of Unicode. Use a database with'],
  ['08006', 'unreachable', 'the connection was lost. Try again.'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unreachable', 'its certificate is not trusted. Add its certificate authority'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'unreachable', 'its certificate is for another host name. Connect with a name of'],
  ['53100', 'disk_full', 'its disk is full. Free some space, and try again.'],
])('describes code %s of a driver as %s', (driverCode, code, message) => {
  const cause = Object.assign(new Error('secret'), { code: driverCode });
  const error = explainPostgresError(cause, 'the store');
  expect(error).toBeInstanceOf(PostgresStoreError);
  expect(error).toMatchObject({ code, cause });
  expect(String(error)).toContain(`Failed to use the store: ${message}`);
});

test('names the socket that does not exist, if the driver does', () => {
  const address = '/run/postgresql/.s.PGSQL.5999';
  const cause = Object.assign(new Error(`connect ENOENT ${address}`), { code: 'ENOENT', address });
  const advice = 'Check its address, and that PostgreSQL is running.';
  expect(explainPostgresError(cause, 'the store')).toMatchObject({
    code: 'unreachable',
    message: `Failed to use the store: the socket does not exist (${address}). ${advice}`,
  });
  const unnamed = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  expect(explainPostgresError(unnamed, 'the store')).toMatchObject({
    message: `Failed to use the store: the socket does not exist. ${advice}`,
  });
});

test.each(['28000', '28P01'])('names the user that the server rejected with %s', (driverCode) => {
  const cause = Object.assign(new Error('Peer authentication failed for user "ada"'), { code: driverCode });
  expect(explainPostgresError(cause, 'the store')).toMatchObject({
    code: 'authentication_failed',
    message:
      'Failed to use the store: the server rejected the user or the password (Peer authentication failed for user "ada"). Check both, and pg_hba.conf on the server.',
  });
});

test.each(['must be a string', 'must be a non-empty string'])('names a missing password: %s', (end) => {
  const cause = new Error(`SASL: SCRAM-SERVER-FIRST-MESSAGE: client password ${end}`);
  expect(explainPostgresError(cause, 'the store')).toMatchObject({
    code: 'authentication_failed',
    message:
      'Failed to use the store: the server requires a password, and there is none. Add it to the URL of the database, or change pg_hba.conf on the server.',
  });
});

test.each([
  ['Query read timeout', 'timeout'],
  ['timeout exceeded when trying to connect', 'unreachable'],
  ['The server does not support SSL connections', 'unreachable'],
  ['Connection terminated unexpectedly', 'unreachable'],
  ['Client has encountered a connection error and is not queryable', 'unreachable'],
])('describes “%s” of pg, which has no code, as %s', (message, code) => {
  expect(explainPostgresError(new Error(message), 'the store')).toMatchObject({ code });
});

test('does not change an error without an explanation', () => {
  const bug = Object.assign(new Error('syntax error'), { code: '42601' });
  const known = new PostgresStoreError('conflict', 'Failed');
  for (const error of [bug, known, new Error('Something else'), 'text', undefined]) {
    expect(explainPostgresError(error, 'the store')).toBe(error);
  }
});
