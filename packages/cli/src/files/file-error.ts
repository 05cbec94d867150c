import { fileErrorCode as systemCodeOf } from '@memory-read/contract/file-errors';
import { CommandError, exitCodes, isCommandError } from '../terminal/command-error.ts';
import { quantity } from '../terminal/quantity.ts';

interface FileErrorOptions {
  /** What failed. */
  action?: 'use' | 'write' | 'replace' | 'save' | undefined;
  cause?: unknown;
  exitCode?: number | undefined;
}

/** An error about a folder or a file in it; `problem` says why it failed and what to do. */
export function fileError(
  path: string,
  problem: string,
  { action = 'use', cause, exitCode = exitCodes.failed }: FileErrorOptions = {},
): CommandError {
  return new CommandError(exitCode, `Failed to ${action} ${JSON.stringify(path)}: ${problem}`, { cause });
}

/** Returns the last error of a run that could not save everything. */
export function failedToSave(count: number, [one, many]: readonly [string, string]): CommandError {
  const [reasons, these] = count === 1 ? ['the reason is', 'this'] : ['the reasons are', 'these'];
  return new CommandError(
    exitCodes.failed,
    `Failed to save ${quantity(count, one, many)}: ${reasons} above. Run the same command again to retry only ${these}.`,
  );
}

const problems: Record<string, string> = {
  ENOSPC: 'the disk is full. Free some space, then run the command again to resume.',
  EDQUOT: 'the disk quota is exceeded. Free some space, then run the command again to resume.',
  EROFS: 'the disk is read-only. Choose another folder.',
  EACCES: 'permission denied. Change its permissions, or choose another folder.',
  EPERM: 'permission denied. Change its permissions, or choose another folder.',
  ERR_ACCESS_DENIED:
    'the permission model of Node.js forbids it. Allow the folder with --allow-fs-read and --allow-fs-write.',
  EMFILE: 'too many files are open. Raise ulimit -n, or pass a lower --concurrency.',
  ENFILE: 'too many files are open on this machine. Stop other programs, then run the command again.',
  ENAMETOOLONG: 'the path is too long. Choose a folder with a shorter path.',
  ENOENT: 'its folder does not exist. Create it first, or end the path with /.',
  ENOTDIR: 'it is not a folder. Choose a folder.',
  ELOOP: 'it is a symbolic link. Remove it.',
};

/** Only a write fails with these. */
const writeCodes = ['ENOSPC', 'EDQUOT', 'EROFS', 'ENOENT'];

/** Translates an error of the file system to a `CommandError`; returns any other error unchanged. */
export function explainFileError(path: string, error: unknown): unknown {
  const code = systemCodeOf(error);
  if (code === undefined || isCommandError(error)) return error;
  // The rest of the message may name a temporary file.
  const [reason] = (error as Error).message.split(', ');
  const action = writeCodes.includes(code) ? 'write' : 'use';
  return fileError(path, problems[code] ?? `${reason}. Check the path.`, { action, cause: error });
}

export { systemCodeOf };
