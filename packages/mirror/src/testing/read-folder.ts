import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the path of each file of a folder with its content. Each byte is one character. */
export function readFolder(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [path, readFileSync(path, 'latin1')]));
}

/** Returns the paths of the files that contain a text, in their content or in their path. */
export function filesWith(folder: string, text: string): string[] {
  const bytes = Buffer.from(text).toString('latin1');
  return [...readFolder(folder)].flatMap(([path, content]) =>
    content.includes(bytes) || path.includes(text) ? [path] : [],
  );
}
