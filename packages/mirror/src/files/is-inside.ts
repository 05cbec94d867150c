/** Returns whether a relative path with `/` stays in its folder, on every system. */
export function isInside(path: string): boolean {
  return !/[\\\0]/.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part));
}
