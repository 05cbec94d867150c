import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import type { Generator } from './generators.ts';

/** Writes the files of these generators into a folder, at their paths. */
export async function generate(generators: readonly Generator[], folder: string): Promise<void> {
  for (const { path, write } of generators) {
    const present = join(root, path);
    // A new package has no report yet.
    const text = await write(existsSync(present) ? readFileSync(present, 'utf8') : '');
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
