/**
 * Stable name of the reason for a {@link PostgresStoreError}. Minor versions may add codes.
 *
 * After `conflict`, `timeout` and `unreachable` the same call can succeed later. `server_error` is every error of the
 * server that no other code describes, such as a limit, a setting that it rejects, or damaged data. None of the others
 * would be true of it. Its message has the SQLSTATE or the words of the server.
 */
export type PostgresStoreErrorCode =
  | 'unreachable'
  | 'authentication_failed'
  | 'unknown_database'
  | 'not_permitted'
  | 'not_writable'
  | 'not_migrated'
  | 'newer_version'
  | 'other_application'
  | 'wrong_encoding'
  | 'wrong_collation'
  | 'conflict'
  | 'timeout'
  | 'disk_full'
  | 'server_error';

/** Thrown when PostgreSQL cannot be used, read or written. Its `cause` is the error of the driver. */
export class PostgresStoreError extends Error {
  override readonly name = 'PostgresStoreError';
  /** Stable name of the reason. */
  readonly code: PostgresStoreErrorCode;

  /** Creates the error. Its message is passed unchanged. */
  constructor(code: PostgresStoreErrorCode, message: string, options?: { cause?: unknown } | undefined) {
    super(message, options);
    this.code = code;
  }
}

type DriverError = Error & { address?: string };
/** The detail follows the reason in parentheses. */
type Detail = (error: DriverError) => string | undefined;
type Explanation = readonly [code: PostgresStoreErrorCode, reason: string, advice: string, detail?: Detail | undefined];

/** The server names the table, the user or the setting, in its own language. A pooler may repeat the URL of the server. */
const serverMessage: Detail = ({ message }) =>
  message.replace(/:\/\/[^\s/]*@/g, '://…@').replace(/\b(password\s*=\s*)('[^']*'|\S+)/gi, '$1…');

const startServer = 'Check its address, and that PostgreSQL is running';
const tryAgain = 'Try again';
const createTables = 'Restore a backup, or create them with migratePostgresStore, as memory-read does when it starts';
/** Advice for tables of an older version. */
export const migrateTables = 'Migrate them with migratePostgresStore, as memory-read does when it starts';
/** The name of a database usually lacks the folder of its socket and the port. */
const unreachable = (reason: string, detail?: Detail): Explanation => ['unreachable', reason, startServer, detail];
const otherTables = 'it contains tables of another application';
/** The server cannot store the texts of memories. */
export const wrongEncoding: Explanation = [
  'wrong_encoding',
  'its encoding does not support all of Unicode',
  'Use a database with the encoding UTF8',
];
const broken: Explanation = ['unreachable', 'the connection was lost', tryAgain];
const checkTls = 'Check the TLS settings of both sides';
const tooSlow: Explanation = ['timeout', 'a statement took too long', tryAgain];
const stateAndMessage: Detail = (error) => `${codeOf(error)}: ${serverMessage(error)}`;

/**
 * Explanations of codes, the first one that matches: SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html),
 * or the code of a socket, a host name or TLS in Node. Errors of `pg` itself have no code, so their messages match.
 */
const explanations: readonly (readonly [pattern: RegExp, ...explanation: Explanation])[] = [
  [
    /^08P01$/,
    'unreachable',
    'the server or its pooler rejected a message',
    'Check the settings of both',
    serverMessage,
  ],
  [/^08/, ...broken],
  [/^22(021|P05)$/, ...wrongEncoding],
  [
    /^(22023|42704|55P02|F0\w{3})$/,
    ...([
      'server_error',
      'the server rejected a setting',
      'Check the options of the connection',
      serverMessage,
    ] as const),
  ],
  [/^25006$/, 'not_writable', 'the database is read-only', 'Use the primary server'],
  [/^25P02$/, 'conflict', 'an earlier statement of the transaction failed', tryAgain],
  [
    /^25P03$/,
    ...(['timeout', 'the transaction waited too long for the next record'] as const),
    'Pass the records faster, or raise idle_in_transaction_session_timeout',
  ],
  [/^25P04$/, 'timeout', 'the transaction took too long', 'Store fewer records at once, or raise transaction_timeout'],
  // Statements and portals without the connection that prepared them, or with the one of another client.
  [
    /^(26000|34000|42P03|42P05)$/,
    ...(['conflict', 'a pooler exchanged the connection during a statement'] as const),
    'Try again, and check the mode of the pooler',
  ],
  [
    /^28/,
    ...(['authentication_failed', 'the server rejected the user or the password'] as const),
    ...(['Check both, and pg_hba.conf on the server', serverMessage] as const),
  ],
  [/^3D/, 'unknown_database', 'the database does not exist', 'Create it, or correct its name'],
  [/^57P04$/, 'unknown_database', 'the database was dropped', 'Restore a backup, or correct its name'],
  [/^3F/, 'unknown_database', 'no schema exists for its tables', 'Create the schema first'],
  [/^40003$/, 'unreachable', 'it is not known whether the transaction was stored', tryAgain],
  [/^(40|72)/, 'conflict', 'another transaction changed the same rows', tryAgain],
  [/^42501$/, 'not_permitted', 'the user lacks a privilege', 'Grant it, or use another user', serverMessage],
  [/^42P01$/, 'not_migrated', 'its tables are missing', createTables],
  [/^42703$/, 'not_migrated', 'its tables are older than this software', migrateTables],
  [/^(42P07|42710)$/, 'other_application', otherTables, 'Use a separate database or schema'],
  [/^53100$/, 'disk_full', 'its disk is full', 'Free some space, and try again'],
  [/^53300$/, 'unreachable', 'it has too many connections', 'Use smaller pools, or try again'],
  [/^53/, 'unreachable', 'the server lacks resources', 'Try again, or give it more', serverMessage],
  [/^55P03$/, 'timeout', 'a statement waited too long for a lock', tryAgain],
  [/^55006$/, 'conflict', 'others use the same object', tryAgain, serverMessage],
  [/^55000$/, 'unreachable', 'the database is not ready', 'Check it, and try again', serverMessage],
  [/^57014$/, ...tooSlow],
  [/^57P03$/, 'unreachable', 'the server is starting up or shutting down', tryAgain],
  [/^57/, ...broken],
  [/^58(000|030)$/, 'unreachable', 'the server cannot use its files', 'Check its disk, and try again', serverMessage],
  [/^XX00[12]$/, 'server_error', 'its data are damaged', 'Restore a backup', serverMessage],
  // No class of SQLSTATE begins with E, as five-letter codes of sockets do.
  [
    /^(?!E)[0-9A-Z]{5}$/,
    ...(['server_error', 'PostgreSQL reported an error', 'Check the log of the server', stateAndMessage] as const),
  ],

  [/^ECONNREFUSED$/, ...unreachable('the connection was refused')],
  [/^(ENOTFOUND|ENODATA|EAI_NODATA|EAI_NONAME)$/, ...unreachable('the host does not exist')],
  [/^(EAI_|ESERVFAIL|EREFUSED)/, ...unreachable('the host name cannot be resolved')],
  [/^E(HOST|NET)(UNREACH|DOWN)$/, ...unreachable('the host cannot be reached')],
  [/^(ENOENT|ENOTDIR)$/, ...unreachable('the socket does not exist', ({ address }) => address)],
  [/^(ETIMEDOUT|ETIMEOUT|ERR_SOCKET_CONNECTION_TIMEOUT)$/, ...unreachable('the server did not respond in time')],
  [
    /^(EACCES|EPERM)$/,
    ...(['unreachable', 'the system forbids the connection'] as const),
    ...(['Check the rights of its socket, and the firewall', codeOf] as const),
  ],
  [
    /^(EMFILE|ENFILE|ENOBUFS|ENOMEM|EADDRNOTAVAIL|EADDRINUSE)$/,
    ...(['unreachable', 'this machine has too many open files or connections'] as const),
    ...(['Use smaller pools, or raise its limits', codeOf] as const),
  ],
  [
    /^(EAFNOSUPPORT|EPROTONOSUPPORT)$/,
    ...([
      'unreachable',
      'this machine does not support the kind of its address',
      'Use another address',
      codeOf,
    ] as const),
  ],
  [/^(E(CONNRESET|CONNABORTED|NETRESET|PIPE|NOTCONN|SHUTDOWN|CANCELED)|ERR_(STREAM_|SOCKET_CLOSED)\w*)$/, ...broken],
  [
    /ALERT/,
    ...(['unreachable', 'the server rejected the TLS connection'] as const),
    ...(['Check the client certificate, for example sslcert=PATH in the URL', codeOf] as const),
  ],
  [
    /CERT_ALTNAME|HOSTNAME_MISMATCH/,
    ...(['unreachable', 'its certificate is for another host name'] as const),
    'Connect with a name of the certificate, or issue another one',
  ],
  [
    /^(CERT|CRL)_(HAS_EXPIRED|NOT_YET_VALID)$/,
    ...(['unreachable', 'its certificate is not valid at this time', 'Renew it, or correct the clock'] as const),
  ],
  [
    /CERT|CRL|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/,
    ...(['unreachable', 'its certificate is not trusted'] as const),
    'Add its certificate authority, for example with sslrootcert=PATH in the URL',
  ],
  [/^(ERR_(SSL|OSSL|TLS)_\w+|EPROTO)$/, 'unreachable', 'TLS failed', checkTls, codeOf],
  [/^(E(?!RR_)[A-Z0-9]+|UNKNOWN)$/, ...unreachable('the connection failed', codeOf)],

  [
    /does not support SSL/,
    ...(['unreachable', 'the server does not support TLS'] as const),
    'Enable TLS on the server, or connect without TLS',
  ],
  [/establishing an SSL connection$/, 'unreachable', 'TLS failed', checkTls],
  [/^Query read timeout/, ...tooSlow],
  [
    /^(timeout e|Connection terminated due to connection timeout)/,
    ...unreachable('the server did not respond in time'),
  ],
  [/^(Connection terminated|Received unexpected)|is not queryable$/, ...broken],
  [/a pool after calling end/, 'unreachable', 'its pool was closed', 'Create another store with another pool'],
  [
    /password must be a (non-empty )?string|no password/i,
    ...(['authentication_failed', 'the server requires a password, and there is none'] as const),
    'Add it to the URL of the database, or change pg_hba.conf on the server',
  ],
  [
    /^SASL/,
    ...(['authentication_failed', 'the password exchange failed'] as const),
    'Check the password, and pg_hba.conf on the server',
  ],
];

/** Returns an explained error. An error that comes neither from the server nor from the network stays the same. */
export function explainPostgresError(error: unknown, name: string): unknown {
  const { name: errorName, message, errors } = Object(error);
  if (typeof message !== 'string' || errorName === 'PostgresStoreError') return error;
  // A host with several addresses fails with an error for each of them. Of these, the refusal is explained first.
  const parts: readonly unknown[] = Array.isArray(errors) ? errors : [error];
  for (const [pattern, ...explanation] of explanations) {
    const part = parts.find((each) => pattern.test(codeOf(each) || Object(each).message));
    if (part !== undefined) return explainedError(explanation, name, part as Error);
  }
  return error;
}

/** Returns the error of an explanation. */
export function explainedError([code, reason, advice, detail]: Explanation, name: string, cause?: Error) {
  const details = cause && detail?.(cause);
  return new PostgresStoreError(
    code,
    `Failed to use ${name}: ${reason}${details === undefined ? '' : ` (${details})`}. ${advice}.`,
    cause && { cause },
  );
}

/** Returns the code of a driver's error, or ''. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
