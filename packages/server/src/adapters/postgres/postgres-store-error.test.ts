import { expect, test } from 'vitest';
import { explainPostgresError, PostgresStoreError, type PostgresStoreErrorCode } from './postgres-store-error.ts';

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
  ['42601', 'server_error', 'PostgreSQL reported an error (42601: secret). Check the log of the server.'],
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

const noPassword =
  'the server requires a password, and there is none. Add it to the URL of the database, or change pg_hba.conf on the server.';
const peer = 'Peer authentication failed for user "ada"';
const rejected = `the server rejected the user or the password (${peer}). Check both, and pg_hba.conf on the server.`;

test.each([
  ['28000', peer, rejected],
  ['28P01', peer, rejected],
  [undefined, 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', noPassword],
  [undefined, 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a non-empty string', noPassword],
])('explains a failed authentication: %s %s', (driverCode, words, problem) => {
  const cause = Object.assign(new Error(words), { code: driverCode });
  const message = `Failed to use the store: ${problem}`;
  expect(explainPostgresError(cause, 'the store')).toMatchObject({ code: 'authentication_failed', message });
});

test.each([
  ['Query read timeout', 'timeout'],
  ['timeout exceeded when trying to connect', 'unreachable'],
  ['The server does not support SSL connections', 'unreachable'],
  ['Connection terminated unexpectedly', 'unreachable'],
  ['Client has encountered a connection error and is not queryable', 'unreachable'],
  ['Client was closed and is not queryable', 'unreachable'],
  ['timeout expired', 'unreachable'],
  ['There was an error establishing an SSL connection', 'unreachable'],
  ['Received unexpected dataRow message from backend.', 'unreachable'],
  ['Cannot use a pool after calling end on the pool', 'unreachable'],
  ['SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature does not match', 'authentication_failed'],
])('describes “%s” of pg, which has no code, as %s', (message, code) => {
  expect(explainPostgresError(new Error(message), 'the store')).toMatchObject({ code });
});

/** Every class of SQLSTATE in the appendix of PostgreSQL 18, with codes that differ from the rest of their class. */
const sqlStates: readonly (readonly [PostgresStoreErrorCode, string])[] = [
  ['server_error', '00000 01000 01P01 02000 03000 09000 0B000 0F001 0L000 0LP01 0P000 0Z000 0Z002 10608 20000 21000'],
  ['server_error', '0A000 22000 22001 22003 22023 22P02 23000 23502 23503 23505 23514 23P01 24000 25000 25001 25P01'],
  ['server_error', '27000 2B000 2BP01 2D000 2F000 2F005 38000 39000 39P01 3B000 3B001 42000 42601 42602 42704 42804'],
  ['server_error', '42883 42P18 44000 54000 54001 54011 54023 55P02 55P04 58P01 58P02 58P03 F0000 F0001 HV000 HV00N'],
  ['server_error', 'P0000 P0001 P0004 XX000 XX001 XX002 YB000 CR001'],
  ['unreachable', '08000 08001 08003 08004 08006 08007 08P01 40003 53000 53200 53300 53400 55000 57000 57P01 57P02'],
  ['unreachable', '57P03 57P05 58000 58030'],
  ['conflict', '25P02 26000 34000 40000 40001 40002 40P01 42P03 42P05 55006 72000'],
  ['timeout', '25P03 25P04 55P03 57014'],
  ['wrong_encoding', '22021 22P05'],
  ['not_writable', '25006'],
  ['authentication_failed', '28000 28P01'],
  ['unknown_database', '3D000 3F000 57P04'],
  ['not_permitted', '42501'],
  ['not_migrated', '42P01 42703'],
  ['other_application', '42P07 42710'],
  ['disk_full', '53100'],
];

/** Codes of sockets, host names, streams and TLS in Node. */
const systemCodes = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOTCONN', 'ESHUTDOWN', 'ECANCELED', 'EOF', 'UNKNOWN'],
  ...['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL', 'EADDRINUSE'],
  ...['EAFNOSUPPORT', 'EPROTONOSUPPORT', 'EPROTOTYPE', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EACCES', 'EPERM'],
  ...['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EINVAL', 'EIO', 'EAGAIN', 'EALREADY', 'EISCONN', 'EBADF', 'EBUSY'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'EAI_MEMORY', 'EAI_SYSTEM', 'EAI_FAMILY'],
  ...['ENODATA', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT', 'EBADRESP', 'ERR_SOCKET_CLOSED', 'ERR_SOCKET_CONNECTION_TIMEOUT'],
  ...['ERR_SOCKET_CLOSED_BEFORE_CONNECTION', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END', 'EPROTO'],
  ...['ERR_STREAM_PREMATURE_CLOSE', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_UNSUPPORTED_PROTOCOL'],
  ...['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'ERR_SSL_NO_CIPHER_MATCH'],
  ...['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_DH_KEY_TOO_SMALL'],
  ...['ERR_OSSL_UNSUPPORTED', 'ERR_TLS_HANDSHAKE_TIMEOUT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'INVALID_CA'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'CERT_UNTRUSTED'],
  ...['CERT_CHAIN_TOO_LONG', 'CERT_SIGNATURE_FAILURE', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED', 'CRL_HAS_EXPIRED'],
];

test.each([
  ...sqlStates.flatMap(([code, states]) => states.split(' ').map((state) => [state, code] as const)),
  ...systemCodes.map((systemCode) => [systemCode, 'unreachable'] as const),
])('the message for %s has a reason and advice, and its code is %s', (driverCode, code) => {
  const cause = Object.assign(new Error('the words of the server'), { code: driverCode });
  const error = explainPostgresError(cause, 'the store');
  expect(error).toMatchObject({ name: 'PostgresStoreError', code, cause });
  expect(String(error)).toMatch(
    /: Failed to use the store: [a-zA-Z][^:]+(: the words of the server\))?\. [A-Z][^:]+\.$/,
  );
});

test.each([
  ['ETIMEDOUT', 'ECONNREFUSED'],
  ['ENETUNREACH', 'ECONNREFUSED'],
  ['ECONNREFUSED', 'EADDRNOTAVAIL'],
])('of a host whose addresses fail with %s and %s, the refusal is explained', (...codes) => {
  const parts = codes.map((code) => Object.assign(new Error(`connect ${code}`), { code }));
  // As `node:net` creates it: without a message, and with the code of its first part.
  const whole = Object.assign(new AggregateError(parts), { code: codes[0] });
  const message = expect.stringContaining('the connection was refused');
  expect(explainPostgresError(whole, 'the store')).toMatchObject({ message, cause: { code: 'ECONNREFUSED' } });
});

test.each(['XX000', '08P01', '53400', '28000', '22023'])(
  'no words of the server repeat a password, with %s',
  (code) => {
    const words = "no connection to postgres://ada:hush@db:1@host/a (user=ada password=hush PASSWORD = 'hu sh' port=1)";
    const error = explainPostgresError(Object.assign(new Error(words), { code }), 'the store');
    expect(String(error)).toContain('(');
    expect(String(error)).toContain('postgres://…@host/a (user=ada password=… PASSWORD = … port=1)');
  },
);

test.each([
  ['EMFILE', 'this machine has too many open files or connections (EMFILE). Use smaller pools, or raise its limits.'],
  ['EBADF', 'the connection failed (EBADF). Check its address, and that PostgreSQL is running.'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS failed (ERR_SSL_WRONG_VERSION_NUMBER). Check the TLS settings of both sides.'],
  ['CERT_HAS_EXPIRED', 'its certificate is not valid at this time. Renew it, or correct the clock.'],
  [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'the server rejected the TLS connection (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED). Check the client certificate, for example sslcert=PATH in the URL.',
  ],
])('names the system error %s if it says more than the message', (code, message) => {
  const error = explainPostgresError(Object.assign(new Error('secret'), { code }), 'the store');
  expect(error).toMatchObject({ message: `Failed to use the store: ${message}` });
});

test('an error that comes neither from the server nor from the network stays the same', () => {
  const known = new PostgresStoreError('conflict', 'Failed');
  const bug = Object.assign(new TypeError('The argument is invalid'), { code: 'ERR_INVALID_ARG_TYPE' });
  for (const error of [bug, known, new Error('Something else'), 'text', undefined]) {
    expect(explainPostgresError(error, 'the store')).toBe(error);
  }
});
