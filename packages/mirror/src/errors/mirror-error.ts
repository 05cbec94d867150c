/**
 * Stable name of the reason for a {@link MirrorError}. Minor versions may add codes.
 *
 * - `invalid_option`: an option has a wrong type or value. Nothing was done.
 * - `not_found`: there is no mirror to read, or it has no such sink or event.
 * - `not_a_mirror`, `newer_version`, `damaged`: the file belongs to another application or to a newer version, or is
 *   broken. It was not changed.
 * - `older_version`: an earlier version wrote the tables. Open the mirror once without `readOnly`.
 * - `unsupported_runtime`: SQLite of this runtime has no full-text search.
 * - `other_account`, `other_server`: the mirror belongs to another account or server.
 * - `foreign_folder`: the folder of an export belongs to something else. Nothing in it was changed.
 * - `busy`: another sync, export, purge or writing of pages is running, another call delivers to the same sink, or another
 *   program has locked the database.
 * - `unsupported_disk`: SQLite cannot lock files on this disk, which is a network share. A mirror needs a local disk.
 * - `unknown_memory`, `unknown_speaker`, `unknown_person`: the mirror has no such memory, speaker or person.
 * - `name_taken`: the name is that of another person. Merge the two to make them one.
 * - `invalid_file`: a file of names cannot be read. Nothing was imported.
 * - `read_only`, `closed`, `disk_full`: as named.
 * - `storage`: another failure of SQLite or of the file system.
 */
export type MirrorErrorCode =
  | 'invalid_option'
  | 'not_found'
  | 'not_a_mirror'
  | 'newer_version'
  | 'older_version'
  | 'damaged'
  | 'unsupported_runtime'
  | 'foreign_folder'
  | 'other_account'
  | 'other_server'
  | 'busy'
  | 'unknown_memory'
  | 'unknown_speaker'
  | 'unknown_person'
  | 'name_taken'
  | 'invalid_file'
  | 'read_only'
  | 'closed'
  | 'disk_full'
  | 'unsupported_disk'
  | 'storage';

/**
 * Thrown by all functions of this package. It contains no key, no query of a URL and no text of a memory.
 *
 * @example
 * ```ts
 * try {
 *   await mirror.sync(client);
 * } catch (error) {
 *   if (!isMirrorError(error)) throw error;
 *   if (error.code === 'busy') console.log('Another sync is running. The next run of this job reads everything.');
 *   else console.error(error.message);
 * }
 * ```
 */
export class MirrorError extends Error {
  override readonly name = 'MirrorError';
  /** Stable name of the reason. */
  readonly code: MirrorErrorCode;

  /** Creates the error with this message. */
  constructor(code: MirrorErrorCode, message: string, options?: { cause?: unknown } | undefined) {
    super(message, options);
    this.code = code;
  }
}

/** Returns whether a value is a {@link MirrorError}, also of another realm or copy of this package. */
export function isMirrorError(value: unknown): value is MirrorError {
  const { name, code, message } = Object(value);
  return name === 'MirrorError' && typeof code === 'string' && typeof message === 'string';
}
