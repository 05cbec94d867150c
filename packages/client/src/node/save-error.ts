import { fileErrorCode } from '@memory-read/contract/file-errors';

const unsupported: [problem: string, remedy: string] = [
  'the file system does not support it',
  'Choose another folder.',
];

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
  ENOTSUP: unsupported,
  EOPNOTSUPP: unsupported,
  ENOSYS: unsupported,
  EIO: ['the disk or the network share reports a fault', 'Check it, and save the file again: the download resumes.'],
  ERR_ACCESS_DENIED: [
    'the permission model of Node.js forbids it',
    'Allow the folder with --allow-fs-read and --allow-fs-write.',
  ],
  NotCapable: ['the permissions of Deno forbid it', 'Allow the folder with --allow-read and --allow-write.'],
};

/**
 * Returns an error of the file system, or of a permission model, with a message of this package and its code. Any other
 * error is returned unchanged.
 */
export function explainFileError(path: string, error: unknown): unknown {
  const code = fileErrorCode(error);
  if (code === undefined) return error;
  const cause = error as Error;
  const [problem, remedy] = problems[code] ?? [cause.message, 'Check the path.'];
  return Object.assign(refuseTarget(path, `${problem} (${code})`, remedy, cause), { code });
}

export function refuseTarget(path: string, problem: string, remedy: string, cause?: Error): Error {
  const message = `Failed to save media to ${JSON.stringify(path)}: ${problem}. ${remedy}`;
  return new Error(message, cause && { cause });
}
