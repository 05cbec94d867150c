import type { FileHandle } from 'node:fs/promises';

/**
 * Codes of operations that a file system such as Azure Files, vfat or CIFS does not offer, or that a permission model
 * forbids. None of them means that bytes are lost, as EIO and ENOSPC do.
 */
const refusals = new Set([
  ...['EPERM', 'EACCES', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOSYS', 'ENOTTY', 'EISDIR'],
  ...['ERR_ACCESS_DENIED', 'NotCapable'],
]);

/** Runs a step that a complete file can do without. Returns undefined where the step is refused. */
export async function unlessRefused<Value>(step: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await step();
  } catch (error) {
    if (!refusals.has(String(fileErrorCode(error)))) throw error;
    return undefined;
  }
}

export async function closeFile(handle: FileHandle): Promise<void> {
  await unlessRefused(() => handle.close());
}

/** Returns the code of an error of the file system or of a permission model; undefined for any other error. */
export function fileErrorCode(error: unknown): string | undefined {
  const { name, code, syscall } = Object(error);
  // The errors of permission models name no system call, and those of Deno have no code.
  if (name === 'NotCapable') return name;
  return syscall !== undefined || code === 'ERR_ACCESS_DENIED' ? code : undefined;
}
