import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns everything in a folder that a write would change: inodes, times and sizes. */
export function traces(folder: string): unknown[] {
  const paths = readdirSync(folder, { recursive: true }).map(String);
  return paths.sort().map((path) => {
    const { ino, mtimeNs, ctimeNs, size } = lstatSync(join(folder, path), { bigint: true });
    return [path, ino, mtimeNs, ctimeNs, size];
  });
}
