import { expect, test } from 'vitest';
import { explainPostgresError, PostgresStoreError } from './postgres-store-error.ts';

test.each([
  ['ECONNREFUSED', 'unreachable', 'because nothing listens there. Check its address, and that it runs.'],
  ['28P01', 'authentication_failed', 'because the server does not accept user and password. Check both, and what'],
  ['3D000', 'unknown_database', 'because there is no such database. Make it first, or correct its name.'],
  ['40P01', 'conflict', 'because another writer changed the same rows at once. Try again.'],
  ['57P01', 'unreachable', 'because the connection ended. Try again.'],
  ['22P05', 'wrong_encoding', 'because its encoding lacks characters that memories may hold. Take a database with'],
  ['08006', 'unreachable', 'because the connection ended. Try again.'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unreachable', 'because its certificate is not trusted. Make its authority known'],
  ['53100', 'disk_full', 'because there is no room left on its disk. Make room, and try again.'],
])('code %s of a driver is told as %s', (driverCode, code, message) => {
  const cause = Object.assign(new Error('secret'), { code: driverCode });
  const error = explainPostgresError(cause, 'the store');
  expect(error).toBeInstanceOf(PostgresStoreError);
  expect(error).toMatchObject({ code, cause });
  expect(String(error)).toContain(`Failed to use the store: ${message}`);
});

test.each([
  ['Query read timeout', 'timeout'],
  ['timeout exceeded when trying to connect', 'unreachable'],
  ['The server does not support SSL connections', 'unreachable'],
  ['Connection terminated unexpectedly', 'unreachable'],
  ['Client has encountered a connection error and is not queryable', 'unreachable'],
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'authentication_failed'],
])('“%s” of pg, which has no code, is told as %s', (message, code) => {
  expect(explainPostgresError(new Error(message), 'the store')).toMatchObject({ code });
});

test('an error to which there is nothing to add stays the same', () => {
  const bug = Object.assign(new Error('syntax error'), { code: '42601' });
  const known = new PostgresStoreError('conflict', 'Failed');
  for (const error of [bug, known, new Error('Something else'), 'text', undefined]) {
    expect(explainPostgresError(error, 'the store')).toBe(error);
  }
});
