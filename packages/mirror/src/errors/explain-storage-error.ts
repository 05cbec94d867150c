import { fileErrorCode } from '@memory-read/contract/file-errors';
import { canLock } from '../database/can-lock.ts';
import { MirrorError, type MirrorErrorCode } from './mirror-error.ts';
import { isOfStoredValue, withoutMessage } from './stored-values.ts';

interface Explanation {
  code: MirrorErrorCode;
  reason: string;
  advice: string;
}

const diskFull: Explanation = {
  code: 'disk_full',
  reason: 'the disk is full',
  advice: 'Free some space, and try again',
};
const noAccess: Explanation = {
  code: 'storage',
  reason: 'this user lacks permission',
  advice: 'Give this user permission to read and write it',
};

/** A network share whose locks or shared memory SQLite cannot use. */
export const unsupportedDisk: Explanation = {
  code: 'unsupported_disk',
  reason: 'SQLite cannot lock files there',
  advice: 'Keep the mirror on a local disk, and export to the share',
};

const damaged: Explanation = {
  code: 'damaged',
  reason: 'the database of the mirror is damaged',
  advice: 'Restore mirror.sqlite from a backup, or sync into another folder',
};

// Result codes of locks and of the shared memory of the log. SQLITE_PERM is a lock that the system does not permit.
const lockFailures = [3, 15, 2058, 2314, 3594, 3850, 4618, 5130, 5386];

// Primary result codes and some extended ones, https://sqlite.org/rescode.html
const byResultCode: Record<number, Explanation> = {
  ...Object.fromEntries(lockFailures.map((code) => [code, unsupportedDisk])),
  5: { code: 'busy', reason: 'another program has locked it', advice: 'Close it, and try again' },
  // A read broke off at a value that JavaScript lacks, and keeps its table locked.
  6: damaged,
  8: noAccess,
  11: damaged,
  13: diskFull,
  14: { ...noAccess, reason: 'it cannot be opened' },
  26: { code: 'not_a_mirror', reason: 'it is not a SQLite database', advice: 'Choose another folder' },
  // SQLite reports an I/O error when the shared-memory file cannot grow.
  4874: diskFull,
};

const notAFile: Explanation = {
  code: 'storage',
  reason: 'a folder is in place of a file',
  advice: 'Remove the folder, and try again',
};

const bySystemCode: Record<string, Explanation> = {
  EISDIR: notAFile,
  ERR_FS_EISDIR: notAFile,
  ENAMETOOLONG: { code: 'storage', reason: 'the path is too long', advice: 'Choose another folder' },
  ENOENT: { code: 'storage', reason: 'the folder is missing', advice: 'Check the path, and open the mirror again' },
  ENOTDIR: { code: 'storage', reason: 'a part of the path is not a folder', advice: 'Choose another folder' },
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EACCES: noAccess,
  EPERM: noAccess,
  ERR_ACCESS_DENIED: {
    ...noAccess,
    reason: 'the permission model of Node.js forbids it',
    advice: 'Allow the folder with --allow-fs-read and --allow-fs-write',
  },
  EROFS: { ...noAccess, reason: 'its file system is read-only' },
};

/** Returns a failure of SQLite or of the file system as a {@link MirrorError}, and any other error unchanged. */
export function explainStorageError(error: unknown, action: string, path: string): unknown {
  const { errcode } = Object(error) as { errcode?: unknown };
  const fail = ({ code, reason, advice }: Explanation, cause = error) =>
    new MirrorError(code, `Failed to ${action} ${JSON.stringify(path)}: ${reason}. ${advice}.`, { cause });
  if (typeof errcode === 'number') {
    const known = byResultCode[errcode] ?? byResultCode[errcode & 0xff] ?? unknownFault(`SQLite reports ${errcode}`);
    return fail(known.code === 'busy' && !canLock(path) ? unsupportedDisk : known);
  }
  if (isOfStoredValue(error)) return fail(damaged, withoutMessage(error));
  const code = fileErrorCode(error);
  if (code === undefined) return error;
  return fail(bySystemCode[code] ?? unknownFault(`the system reports ${code}`));
}

function unknownFault(reason: string): Explanation {
  return { code: 'storage', reason, advice: 'Check the disk, and try again' };
}
