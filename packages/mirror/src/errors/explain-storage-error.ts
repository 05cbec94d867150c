import { isMirrorError, MirrorError, type MirrorErrorCode } from './mirror-error.ts';

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

// Primary result codes and one extended one, https://sqlite.org/rescode.html
const byResultCode: Record<number, Explanation> = {
  5: { code: 'busy', reason: 'another process is using it', advice: 'Try again when that process has finished' },
  8: noAccess,
  11: { code: 'damaged', reason: 'it is damaged', advice: 'Restore it from a backup, or sync into another folder' },
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
  EROFS: { ...noAccess, reason: 'its file system is read-only' },
};

/** Returns a failure of SQLite or of the file system as a {@link MirrorError}, and any other error unchanged. */
export function explainStorageError(error: unknown, action: string, path: string): unknown {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  const fail = ({ code, reason, advice }: Explanation) =>
    new MirrorError(code, `Failed to ${action} ${JSON.stringify(path)}: ${reason}. ${advice}.`, { cause: error });
  if (typeof errcode === 'number') {
    return fail(byResultCode[errcode] ?? byResultCode[errcode & 0xff] ?? unknownFault(`SQLite reports ${errcode}`));
  }
  if (isMirrorError(error) || typeof code !== 'string' || !('syscall' in (error as object))) return error;
  return fail(bySystemCode[code] ?? unknownFault(`the system reports ${code}`));
}

function unknownFault(reason: string): Explanation {
  return { code: 'storage', reason, advice: 'Check the disk, and try again' };
}
