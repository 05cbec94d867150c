import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../repository.ts';
import type { Command, Suite } from './suite.ts';

/** Every suite of the repository, in the order in which they are started. */
export function suites(reportFolder: string): Suite[] {
  const built = foldersOf('packages', 'tsup.config.ts');
  return [
    { name: 'build', commands: [...built.map((folder) => script(folder, 'build')), pack] },
    {
      name: 'lint',
      commands: [
        { run: ['biome', 'check', '--error-on-warnings', '.'] },
        { run: ['knip', '--no-progress'] },
        { run: ['node', 'packages/docs-site/src/language/main.ts'] },
      ],
    },
    { name: 'types', isParallel: true, commands: ['tsconfig.json', 'tsconfig.neutral.json'].map(compiler) },
    { name: 'unit', commands: ['unit', 'examples', 'msw-2'].map((project) => vitest(project, reportFolder)) },
    { name: 'system', needs: ['build'], commands: [vitest('system', reportFolder)] },
    { name: 'postgres', commands: [vitest('postgres', reportFolder)] },
    { name: 'full', needs: ['build'], isFull: true, commands: [vitest('full', reportFolder)] },
    { name: 'clone', isFull: true, isAlone: true, needsNetwork: true, commands: [vitest('clone', reportFolder)] },
  ];
}

const pack: Command = { run: ['node', 'packages/system-tests/src/packages/pack-packages.ts'] };

function compiler(project: string): Command {
  return { run: ['node', 'node_modules/typescript/bin/tsc', '--project', project] };
}

/** Returns the folders below a folder of the repository that contain a file of this name. */
function foldersOf(parent: string, file: string): string[] {
  const folders = readdirSync(join(root, parent)).map((name) => join(parent, name));
  return folders.filter((folder) => existsSync(join(root, folder, file)));
}

function script(folder: string, task: string): Command {
  return { folder, run: ['node', '--run', task] };
}

function vitest(project: string, reportFolder: string): Command {
  const report = join(reportFolder, `${project}.json`);
  return {
    run: ['vitest', 'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile=${report}`],
    report,
  };
}
