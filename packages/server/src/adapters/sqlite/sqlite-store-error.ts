import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Stable name of the reason for a {@link SqliteStoreError}. Minor versions may add codes. */
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

/** Thrown when a SQLite file cannot be opened, read or written. */
export class SqliteStoreError extends Error {
  override readonly name = 'SqliteStoreError';
  /** Stable name of the reason. */
  readonly code: SqliteStoreErrorCode;

  /** Creates the error. Its message is passed unchanged. */
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
  reason: 'the disk is full',
  advice: 'Free some space, and try again',
};

// Primary result codes and one extended one, https://sqlite.org/rescode.html
const explanations: Record<number, Explanation> = {
  5: { code: 'busy', reason: 'another process is writing to it', advice: 'Try again when that process has finished' },
  8: { code: 'not_writable', reason: 'it is not writable', advice: 'Give this user write permission' },
  10: { code: 'io_error', reason: 'its disk failed to read or write', advice: 'Check the disk, and try again' },
  11: { code: 'not_a_database', reason: 'it is damaged', advice: 'Restore it from a backup' },
  13: diskFull,
  14: { code: 'not_writable', reason: 'it cannot be opened', advice: 'Give this user write permission' },
  26: { code: 'not_a_database', reason: 'it is not a SQLite database', advice: 'Choose another path' },
  // SQLite reports an I/O error when the shared-memory file cannot grow.
  4874: diskFull,
};

const readOnly: Explanation = {
  code: 'not_writable',
  reason: 'its file system is read-only',
  advice: 'Mount it for writing, or choose another path',
};

/** SQLite reports a read-only file system as a missing permission. */
function isReadOnly(path: string): boolean {
  try {
    accessSync(dirname(resolve(path)), constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** Returns an explained error of `node:sqlite`, or the same error if there is nothing to add. */
export function explainSqliteError(error: unknown, action: string, path: string): unknown {
  const resultCode = (error as { errcode?: unknown } | undefined)?.errcode;
  if (typeof resultCode !== 'number') return error;
  const explanation = explanations[resultCode] ?? explanations[resultCode & 0xff];
  if (!explanation) return error;
  const { code, reason, advice } = explanation.code === 'not_writable' && isReadOnly(path) ? readOnly : explanation;
  return new SqliteStoreError(code, `Failed to ${action} ${JSON.stringify(path)}: ${reason}. ${advice}.`, {
    cause: error,
  });
}
