import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';

/** Returns a file that operators copy, with each of these texts replaced wherever it stands. */
export function fillIn(path: string, replacements: Readonly<Record<string, string>>): string {
  const found = new Set<string>();
  const parts = Object.keys(replacements).map((part) => part.replaceAll('.', '\\.'));
  const text = readFileSync(join(root, path), 'utf8').replace(new RegExp(parts.join('|'), 'g'), (part) => {
    found.add(part);
    return replacements[part] ?? part;
  });
  for (const part of Object.keys(replacements))
    if (!found.has(part)) throw new Error(`Failed to fill in ${path}: ${part} is not in it. Correct the replacement.`);
  return text;
}
