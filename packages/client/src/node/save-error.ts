const problems: Record<string, [problem: string, remedy: string]> = {
  ENOSPC: ['the disk is full', 'Make room and save it again: it goes on where it was.'],
  EDQUOT: ['the quota of the disk is used up', 'Make room and save it again: it goes on where it was.'],
  EFBIG: ['the file is larger than it may be', 'Raise the limit and save it again: it goes on where it was.'],
  EACCES: ['this user may not write there', 'Give it the right to write the folder.'],
  EPERM: ['this user may not write there', 'Give it the right to write the folder.'],
  EROFS: ['the disk can only be read', 'Choose another folder.'],
};

/** An error of the file system in the words of this package, with its code; any other as it is. */
export function explainFileError(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  const code = String(error.code);
  const [problem, remedy] = problems[code] ?? [error.message, 'Check the path.'];
  return Object.assign(refuseTarget(path, `${problem} (${code})`, remedy, error), { code });
}

export function refuseTarget(path: string, problem: string, remedy: string, cause?: Error): Error {
  const message = `Failed to save media to ${JSON.stringify(path)}: because ${problem}. ${remedy}`;
  return new Error(message, cause && { cause });
}
