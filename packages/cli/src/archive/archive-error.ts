import { CommandError, exitCodes } from '../terminal/command-error.ts';

/** An error about a folder or a file in it; `problem` says why it failed and what to do. */
export function archiveError(
  path: string,
  problem: string,
  { cause, exitCode = exitCodes.failed }: { cause?: unknown; exitCode?: number | undefined } = {},
): CommandError {
  return new CommandError(exitCode, `Failed to use ${JSON.stringify(path)}: because ${problem}`, { cause });
}

const problems: Record<string, string> = {
  ENOSPC: 'the disk is full. Make room and run the command again: it goes on where it was.',
  EDQUOT: 'the quota of the disk is used up. Make room and run the command again: it goes on where it was.',
  EROFS: 'the disk can only be read. Choose another folder.',
  EACCES: 'this user may not write there. Give it the right to, or choose another folder.',
  EPERM: 'this user may not write there. Give it the right to, or choose another folder.',
  ENAMETOOLONG: 'the path is too long. Choose a folder with a shorter path.',
  ENOENT: 'its folder does not exist. Make the folder first.',
  ENOTDIR: 'it is no folder. Choose another one.',
  ELOOP: 'it is a link, and links are not followed out of the folder. Remove it.',
};

/** Translates an error of the file system to a `CommandError`; returns any other error unchanged. */
export function explainArchiveError(path: string, error: unknown): unknown {
  const code = systemCodeOf(error);
  if (code === undefined || error instanceof CommandError) return error;
  // The rest of the message may name a temporary file.
  const [reason] = (error as Error).message.split(', ');
  return archiveError(path, problems[code] ?? `of ${reason}. Check the path.`, { cause: error });
}

/** Returns whether the disk is full, over its quota or read-only, so that no other file can be written either. */
export function isDiskUnwritable(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return ['ENOSPC', 'EDQUOT', 'EROFS'].includes(systemCodeOf(cause) ?? '');
}

export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}
