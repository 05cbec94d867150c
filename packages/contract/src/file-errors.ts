/**
 * What an error of the file system, or of a port, means. Not stable: functions may change in a minor version.
 *
 * @packageDocumentation
 */

/**
 * Codes of operations that a file system such as Azure Files, vfat or CIFS does not offer, or that a permission model
 * forbids. None of them means that bytes are lost, as EIO and ENOSPC do.
 */
const refusals: ReadonlySet<unknown> = new Set([
  ...['EPERM', 'EACCES', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOSYS', 'ENOTTY', 'EISDIR'],
  ...['ERR_ACCESS_DENIED', 'NotCapable'],
]);

/**
 * Returns the code of a step that the file system or the runtime refuses; undefined for any other error.
 *
 * A complete file can do without such a step: `chmod`, `fsync`, a link.
 */
export function refusalCode(error: unknown): string | undefined {
  const { name, code } = Object(error) as { name?: unknown; code?: unknown };
  return [name, code].find((each): each is string => refusals.has(each));
}

/**
 * Runs a step that a complete file can do without, such as `chmod` or `fsync`. Returns its result, or undefined where the
 * disk or the runtime refuses it.
 */
export function unlessRefused<Value>(step: () => Promise<Value>): Promise<Value | undefined>;
export function unlessRefused<Value>(step: () => Value): Value | undefined;
export function unlessRefused(step: () => unknown): unknown {
  const ignoreRefusal = (error: unknown) => {
    if (refusalCode(error) === undefined) throw error;
  };
  try {
    const result = step();
    return result instanceof Promise ? result.catch(ignoreRefusal) : result;
  } catch (error) {
    return ignoreRefusal(error);
  }
}

/** Returns the code of an error of the file system or of a permission model; undefined for any other error. */
export function fileErrorCode(error: unknown): string | undefined {
  const { name, code, syscall } = Object(error) as { name?: unknown; code?: unknown; syscall?: unknown };
  // The errors of permission models name no system call, and those of Deno have no code.
  if (name === 'NotCapable') return name;
  return typeof code === 'string' && (syscall !== undefined || code === 'ERR_ACCESS_DENIED') ? code : undefined;
}

/** Returns why a server cannot listen, and what to do. */
export function listenProblem(error: Error, hostname: string, port: number): string {
  const { code, message } = error as Error & { code?: unknown };
  if (code === 'EADDRINUSE')
    return `port ${port} of ${hostname} is in use. Stop the program that uses it, or choose another port.`;
  if (code === 'EACCES') return `this user is not allowed to use port ${port}. Choose a port above 1023.`;
  // DNS reports these codes; the last one means that no name server was reached.
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `this machine does not have the address ${hostname}. Choose one of its addresses.`;
  return `${message}. Choose another address or port.`;
}
