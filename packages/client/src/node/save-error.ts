const problems: Record<string, [problem: string, remedy: string]> = {
  ENOSPC: ['the disk is full', 'Free some space and save it again: the download resumes.'],
  EDQUOT: ['the disk quota is used up', 'Free some space and save it again: the download resumes.'],
  EFBIG: [
    'the file exceeds the size limit of this process or file system',
    'Raise the limit and save it again: the download resumes.',
  ],
  EACCES: ['this user has no write permission', 'Grant it write permission for the folder.'],
  EPERM: ['this user has no write permission', 'Grant it write permission for the folder.'],
  EROFS: ['the file system is read-only', 'Choose another folder.'],
};

/**
 * Returns an error of the file system with a message of this package and its code. Any other error is returned
 * unchanged.
 */
export function explainFileError(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  const code = String(error.code);
  const [problem, remedy] = problems[code] ?? [error.message, 'Check the path.'];
  return Object.assign(refuseTarget(path, `${problem} (${code})`, remedy, error), { code });
}

export function refuseTarget(path: string, problem: string, remedy: string, cause?: Error): Error {
  const message = `Failed to save media to ${JSON.stringify(path)}: ${problem}. ${remedy}`;
  return new Error(message, cause && { cause });
}
