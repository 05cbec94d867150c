import { CommandError, exitCodes } from '../terminal/command-error.ts';

/** An error about a folder or a file in it; `problem` says why it failed and what to do. */
export function archiveError(
  path: string,
  problem: string,
  { cause, exitCode = exitCodes.failed }: { cause?: unknown; exitCode?: number | undefined } = {},
): CommandError {
  return new CommandError(exitCode, `Failed to use ${JSON.stringify(path)}: ${problem}`, { cause });
}

const problems: Record<string, string> = {
  ENOSPC: 'the disk is full. Free some space, and run the command again to resume.',
  EDQUOT: 'the disk quota is exceeded. Free some space, and run the command again to resume.',
  EROFS: 'the disk is read-only. Choose another folder.',
  EACCES: 'this user does not have write permission. Grant it, or choose another folder.',
  EPERM: 'this user does not have write permission. Grant it, or choose another folder.',
  ENAMETOOLONG: 'the path is too long. Choose a folder with a shorter path.',
  ENOENT: 'its folder does not exist. Create the folder first.',
  ENOTDIR: 'it is not a folder. Choose a folder.',
  ELOOP: 'it is a link, and links are not followed out of the folder. Remove it.',
};

/** Translates an error of the file system to a `CommandError`; returns any other error unchanged. */
export function explainArchiveError(path: string, error: unknown): unknown {
  const code = systemCodeOf(error);
  if (code === undefined || error instanceof CommandError) return error;
  // The rest of the message may name a temporary file.
  const [reason] = (error as Error).message.split(', ');
  return archiveError(path, problems[code] ?? `${reason}. Check the path.`, { cause: error });
}

/** Returns whether the disk is full, over its quota or read-only, so that no other file can be written either. */
export function isDiskUnwritable(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return ['ENOSPC', 'EDQUOT', 'EROFS'].includes(systemCodeOf(cause) ?? '');
}

export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}
