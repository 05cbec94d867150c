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

const startServer = 'Check its address, and that it runs';
const tryAgain = 'Try again';
const unreachable = (reason: string): Explanation => ['unreachable', reason, startServer];
const broken: Explanation = ['unreachable', 'the connection ended', tryAgain];
const conflict: Explanation = ['conflict', 'another writer changed the same rows at once', tryAgain];
const refused: Explanation = [
  ...(['authentication_failed', 'the server does not accept user and password'] as const),
  'Check both, and what pg_hba.conf of the server allows',
];

// SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) and the codes of Node's sockets
const explanations: Record<string, Explanation> = {
  ECONNREFUSED: unreachable('nothing listens there'),
  ENOTFOUND: unreachable('there is no such host'),
  EAI_AGAIN: unreachable('its host cannot be looked up'),
  EHOSTUNREACH: unreachable('there is no way to its host'),
  ENETUNREACH: unreachable('there is no way to its host'),
  ENOENT: unreachable('there is no such socket'),
  ETIMEDOUT: unreachable('it does not answer'),
  ECONNRESET: broken,
  EPIPE: broken,
  '28000': refused,
  '28P01': refused,
  '3D000': ['unknown_database', 'there is no such database', 'Make it first, or correct its name'],
  '3F000': ['unknown_database', 'there is no schema to make tables in', 'Make the schema first'],
  '42501': ['not_permitted', 'its user lacks a right', 'Grant it, or take another user'],
  '25006': ['not_writable', 'it can only be read', 'Take the primary server'],
  '42P01': ['not_migrated', 'its tables are missing', 'Call migratePostgresStore first'],
  '42703': ['not_migrated', 'its tables are older than this software', 'Call migratePostgresStore first'],
  '42P07': ['other_application', 'it holds tables of another application', 'Take a database or schema of its own'],
  '42710': ['other_application', 'it holds tables of another application', 'Take a database or schema of its own'],
  '22P05': [
    ...(['wrong_encoding', 'its encoding lacks characters that memories may hold'] as const),
    'Take a database with the encoding UTF8',
  ],
  '40001': conflict,
  '40P01': conflict,
  '57014': ['timeout', 'a statement took too long', tryAgain],
  '53100': ['disk_full', 'there is no room left on its disk', 'Make room, and try again'],
  '53300': ['unreachable', 'it has too many connections', 'Make the pools smaller, or try again'],
  '57P03': ['unreachable', 'it is starting or ending', tryAgain],
};

/** Patterns of codes. For a driver without codes, they match the messages of `pg`. */
const patterns: readonly (readonly [RegExp, Explanation])[] = [
  [/^(08|57P)/, broken],
  [
    /CERT|^UNABLE_TO_/,
    ['unreachable', 'its certificate is not trusted', 'Make its authority known, as with sslrootcert=PATH in a URL'],
  ],
  [/does not support SSL/, ['unreachable', 'it does not speak TLS', 'Turn TLS on there, or do not ask for it']],
  [/^Query read timeout/, ['timeout', 'a statement took too long', tryAgain]],
  [
    /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)/,
    unreachable('it does not answer'),
  ],
  [/^Connection terminated|connection error and is not queryable/, broken],
  [/password must be a string|no password/i, refused],
];

/** Returns an explained error, or the same error if there is nothing to add. */
export function explainPostgresError(error: unknown, name: string): unknown {
  const explanation = explanationOf(error);
  if (!explanation) return error;
  const [code, reason, advice] = explanation;
  return new PostgresStoreError(code, `Failed to use ${name}: because ${reason}. ${advice}.`, { cause: error });
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
