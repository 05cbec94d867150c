/** Stable name of the reason for a {@link PostgresStoreError}. Minor versions may add codes. */
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
  | 'disk_full';

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

type Explanation = readonly [code: PostgresStoreErrorCode, reason: string, advice: string];

const startServer = 'Check its address, and that PostgreSQL is running';
const tryAgain = 'Try again';
const createTables = 'Restore a backup, or create them with migratePostgresStore, as memory-read does when it starts';
/** Advice for tables of an older version. */
export const migrateTables = 'Migrate them with migratePostgresStore, as memory-read does when it starts';
const unreachable = (reason: string): Explanation => ['unreachable', reason, startServer];
const socketMissing = unreachable('the socket does not exist');
const broken: Explanation = ['unreachable', 'the connection was lost', tryAgain];
const conflict: Explanation = ['conflict', 'another transaction changed the same rows', tryAgain];
const refused: Explanation = [
  ...(['authentication_failed', 'the server rejected the user or the password'] as const),
  'Check both, and pg_hba.conf on the server',
];
const passwordMissing: Explanation = [
  ...(['authentication_failed', 'the server requires a password, and there is none'] as const),
  'Add it to the URL of the database, or change pg_hba.conf on the server',
];

// SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) and the codes of Node's sockets
const explanations: Record<string, Explanation> = {
  ECONNREFUSED: unreachable('the connection was refused'),
  ENOTFOUND: unreachable('the host does not exist'),
  EAI_AGAIN: unreachable('the host name cannot be resolved'),
  EHOSTUNREACH: unreachable('the host cannot be reached'),
  ENETUNREACH: unreachable('the host cannot be reached'),
  ENOENT: socketMissing,
  ETIMEDOUT: unreachable('the server did not respond in time'),
  ECONNRESET: broken,
  EPIPE: broken,
  '28000': refused,
  '28P01': refused,
  '3D000': ['unknown_database', 'the database does not exist', 'Create it, or correct its name'],
  '3F000': ['unknown_database', 'no schema exists for its tables', 'Create the schema first'],
  '42501': ['not_permitted', 'the user lacks a privilege', 'Grant it, or use another user'],
  '25006': ['not_writable', 'the database is read-only', 'Use the primary server'],
  '42P01': ['not_migrated', 'its tables are missing', createTables],
  '42703': ['not_migrated', 'its tables are older than this software', migrateTables],
  '42P07': ['other_application', 'it contains tables of another application', 'Use a separate database or schema'],
  '42710': ['other_application', 'it contains tables of another application', 'Use a separate database or schema'],
  '22P05': [
    ...(['wrong_encoding', 'its encoding does not support all of Unicode'] as const),
    'Use a database with the encoding UTF8',
  ],
  '40001': conflict,
  '40P01': conflict,
  '57014': ['timeout', 'a statement took too long', tryAgain],
  '53100': ['disk_full', 'its disk is full', 'Free some space, and try again'],
  '53300': ['unreachable', 'it has too many connections', 'Use smaller pools, or try again'],
  '57P03': ['unreachable', 'the server is starting up or shutting down', tryAgain],
};

/** Patterns of codes. For a driver without codes, they match the messages of `pg`. */
const patterns: readonly (readonly [RegExp, Explanation])[] = [
  [/^(08|57P)/, broken],
  [
    /CERT_ALTNAME/,
    [
      'unreachable',
      'its certificate is for another host name',
      'Connect with a name of the certificate, or issue another one',
    ],
  ],
  [
    /CERT|^UNABLE_TO_/,
    [
      'unreachable',
      'its certificate is not trusted',
      'Add its certificate authority, for example with sslrootcert=PATH in the URL',
    ],
  ],
  [
    /does not support SSL/,
    ['unreachable', 'the server does not support TLS', 'Enable TLS on the server, or connect without TLS'],
  ],
  [/^Query read timeout/, ['timeout', 'a statement took too long', tryAgain]],
  [
    /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)/,
    unreachable('the server did not respond in time'),
  ],
  [/^Connection terminated|connection error and is not queryable/, broken],
  [/password must be a (non-empty )?string|no password/i, passwordMissing],
];

/** Returns an explained error, or the same error if there is nothing to add. */
export function explainPostgresError(error: unknown, name: string): unknown {
  const explanation = explanationOf(error);
  if (!explanation) return error;
  const [code, reason, advice] = explanation;
  const detail = detailOf(error as Error, explanation);
  return new PostgresStoreError(
    code,
    `Failed to use ${name}: ${reason}${detail === undefined ? '' : ` (${detail})`}. ${advice}.`,
    { cause: error },
  );
}

function detailOf(error: Error & { address?: string }, explanation: Explanation): string | undefined {
  // The server names the table or the user, in its own language.
  if (explanation[0] === 'not_permitted' || explanation === refused) return error.message;
  // The name of a database usually lacks the folder of its socket and the port.
  return explanation === socketMissing ? error.address : undefined;
}

/** Returns the code of a driver's error, or ''. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

function explanationOf(error: unknown): Explanation | undefined {
  if (!(error instanceof Error) || error instanceof PostgresStoreError) return undefined;
  const code = codeOf(error);
  return explanations[code] ?? patterns.find(([pattern]) => pattern.test(code || error.message))?.[1];
}
