import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns each file of a folder, by its path, with its content. */
export function readFolder(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]));
}

/** Returns the paths of the files that hold a text, in their content or in their path. */
export function filesWith(folder: string, text: string): string[] {
  return [...readFolder(folder)].flatMap(([path, content]) =>
    content.includes(text) || path.includes(text) ? [path] : [],
  );
}
