/** Why a SQLite file cannot be opened, read or written. New codes may come in a minor version. */
export type SqliteStoreErrorCode =
  | 'invalid_path'
  | 'missing_directory'
  | 'not_a_database'
  | 'other_application'
  | 'newer_version'
  | 'wrong_encoding'
  | 'not_writable'
  | 'disk_full'
  | 'io_error'
  | 'busy'
  | 'closed';

/** Why a SQLite file cannot be opened, read or written; `code` says it for programs. */
export class SqliteStoreError extends Error {
  override readonly name = 'SqliteStoreError';
  readonly code: SqliteStoreErrorCode;

  constructor(code: SqliteStoreErrorCode, message: string, options?: { cause?: unknown } | undefined) {
    super(message, options);
    this.code = code;
  }
}

interface Explanation {
  code: SqliteStoreErrorCode;
  reason: string;
  advice: string;
}

const diskFull: Explanation = {
  code: 'disk_full',
  reason: 'there is no room left on the disk',
  advice: 'Make room, and try again',
};

// Primary result codes and one extended one, https://sqlite.org/rescode.html
const explanations: Record<number, Explanation> = {
  5: { code: 'busy', reason: 'another process is writing to it', advice: 'Try again when it is done' },
  8: { code: 'not_writable', reason: 'it cannot be written', advice: 'Give this user the right to write it' },
  10: { code: 'io_error', reason: 'its disk failed to read or write', advice: 'Check the disk, and try again' },
  11: { code: 'not_a_database', reason: 'it is damaged', advice: 'Restore it from a backup' },
  13: diskFull,
  14: { code: 'not_writable', reason: 'it cannot be opened', advice: 'Give this user the right to write it' },
  26: { code: 'not_a_database', reason: 'it is no SQLite database', advice: 'Choose another path' },
  // An I/O error by name: the file of shared memory beside the database could not grow.
  4874: diskFull,
};

/** The error of `node:sqlite` in words that help, or the same error where there is nothing to add. */
export function explainSqliteError(error: unknown, action: string, path: string): unknown {
  const resultCode = (error as { errcode?: unknown } | undefined)?.errcode;
  if (typeof resultCode !== 'number') return error;
  const explanation = explanations[resultCode] ?? explanations[resultCode & 0xff];
  if (!explanation) return error;
  const { code, reason, advice } = explanation;
  return new SqliteStoreError(code, `Failed to ${action} ${path}: because ${reason}. ${advice}.`, { cause: error });
}
