import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../repository.ts';
import type { Generator } from './generators.ts';

/** Writes the files of these generators into a folder, at their paths. */
export async function generate(generators: readonly Generator[], folder: string): Promise<void> {
  for (const { path, write } of generators) {
    const text = await write(readFileSync(join(root, path), 'utf8'));
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
