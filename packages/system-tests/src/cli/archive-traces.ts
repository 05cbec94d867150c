import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One file that the manifest of a folder names. */
export interface KeptFile {
  memoryId: string;
  part: string;
  path: string;
  sha256: string;
}

/** Returns the files that the manifest names, with the digests of the actual files. */
export function keptFiles(folder: string): KeptFile[] {
  const { memories } = JSON.parse(readFileSync(join(folder, 'memory-read.json'), 'utf8'));
  return memories.flatMap(({ id, files }: { id: string; files: Record<string, { path: string }> }) =>
    Object.entries(files).map(([part, { path }]) => ({
      memoryId: id,
      part,
      path,
      sha256: createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    })),
  );
}

/** Returns the names of all visible files in the folder. */
export function visibleFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();
}

/** Returns everything in a folder that a write would change: inodes, times and sizes. */
export function traces(folder: string): unknown[] {
  const paths = ['.', ...(readdirSync(folder, { recursive: true }) as string[])];
  return paths.sort().map((path) => {
    const { ino, mtimeNs, ctimeNs, size } = lstatSync(join(folder, path), { bigint: true });
    return [path, ino, mtimeNs, ctimeNs, size];
  });
}
