/**
 * npm run release -- [--out FOLDER] [--checks SCRIPT]
 *
 * Packs a committed and tested state into a new folder, by default `release`. `--checks` names the script that has to pass, by default `test:full`.
 */
import { parseArgs } from 'node:util';
import { root } from '@memory-read/test-kit/repository';
import { tarballOf } from '../packed-packages.ts';
import { release } from './release.ts';
import { releasedPackages } from './released-packages.ts';

const { values } = parseArgs({
  options: { out: { type: 'string', default: 'release' }, checks: { type: 'string', default: 'test:full' } },
});

try {
  release({
    folder: root,
    checks: values.checks,
    // The table lists each package after its dependencies.
    tarballs: () => releasedPackages.map(tarballOf),
    out: values.out,
    environment: process.env,
    log: (line) => console.log(line),
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
