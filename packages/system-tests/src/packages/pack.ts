/**
 * npm run pack [-- FOLDER]
 *
 * Copies the packed packages into the folder, by default `packed`, and prints the line that installs them in a project.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { tarballOf } from './packed-packages.ts';
import { releasedPackages } from './release/released-packages.ts';

const [folder = 'packed'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const copies = releasedPackages.map((name) => {
  const copy = resolve(folder, basename(tarballOf(name)));
  copyFileSync(tarballOf(name), copy);
  return copy;
});
console.error('\nIn the folder of your project, run this line:\n');
console.log(`npm install ${copies.map(quoted).join(' ')}`);

/** Windows has no single quotes, and no double quote in a path. */
function quoted(path: string): string {
  if (process.platform === 'win32') return `"${path}"`;
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
