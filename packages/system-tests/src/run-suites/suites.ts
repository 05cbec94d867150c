import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository.ts';
import type { Command, Suite } from './suite.ts';

/** Every suite of the repository, in the order in which they are started. */
export function suites(reportFolder: string): Suite[] {
  const packages = readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'package.json')),
  );
  const built = packages.filter((name) => existsSync(join(root, 'packages', name, 'tsup.config.ts')));
  return [
    { name: 'build', commands: [...built.map((name) => script(name, 'build')), pack] },
    { name: 'lint', commands: [{ run: ['biome', 'check', '--error-on-warnings', '.'] }] },
    { name: 'types', commands: packages.map((name) => script(name, 'typecheck')) },
    { name: 'unit', commands: [vitest('unit', reportFolder)] },
    { name: 'system', needs: ['build'], commands: [vitest('system', reportFolder)] },
    { name: 'postgres', commands: [vitest('postgres', reportFolder)] },
    { name: 'full', needs: ['build'], isFull: true, commands: [vitest('full', reportFolder)] },
  ];
}

const pack: Command = { run: ['node', 'packages/system-tests/src/packed/pack-packages.ts'] };

function script(name: string, task: string): Command {
  return { folder: join('packages', name), run: ['node', '--run', task] };
}

function vitest(project: string, reportFolder: string): Command {
  const report = join(reportFolder, `${project}.json`);
  return {
    run: ['vitest', 'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile=${report}`],
    report,
  };
}
