/**
 * npm run release -- [--dry-run] [--checks SCRIPT] [--provenance] [--push-tags]
 *
 * Publishes the packages of a committed and tested state. `--checks` names the script that has to pass, by default `test`.
 */
import { parseArgs } from 'node:util';
import { packageTable } from '../../architecture/package-table.ts';
import { root } from '../../repository.ts';
import { tarballOf } from '../packed-packages.ts';
import { release } from './release.ts';

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({
  options: { 'dry-run': flag, provenance: flag, 'push-tags': flag, checks: { type: 'string', default: 'test' } },
});

try {
  release({
    folder: root,
    checks: values.checks,
    // The table lists each package after its dependencies.
    tarballs: () => Object.keys(packageTable).map(tarballOf),
    isDryRun: values['dry-run'],
    withProvenance: values.provenance,
    pushesTags: values['push-tags'],
    log: (line) => console.log(line),
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
