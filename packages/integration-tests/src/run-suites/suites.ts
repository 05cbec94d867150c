import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';

/** A part of the tests that is run, timed and counted separately. */
export interface Suite {
  name: string;
  /** Suites that must pass before. If one of them fails, this one counts as failed without a run. */
  needs?: readonly string[] | undefined;
  /** Run only by `npm run test:full`. */
  isFull?: boolean | undefined;
  /** Whether the suite runs alone after all others, because their load would change its results. */
  isAlone?: boolean | undefined;
  /** Whether the suite installs packages. With CI=true, all others run without a network. */
  needsNetwork?: boolean | undefined;
  /** Commands, run in sequence. The first failure ends the suite. */
  commands: readonly Command[];
}

export interface Command {
  /** Folder below the repository's root. */
  folder?: string | undefined;
  /** Program and arguments. */
  run: readonly [string, ...string[]];
  /** The file for the JSON report of Vitest, whose tests are counted. Without it, the command counts as one. */
  report?: string | undefined;
}

/** Every suite of the repository, in the order in which they are started. */
export function suites(reportFolder: string): Suite[] {
  const vitest = (...projects: string[]): Command => {
    const report = join(reportFolder, `${projects[0]}.json`);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
    return { run: ['vitest', 'run', ...projects.flatMap((name) => ['--project', name]), ...reporters], report };
  };
  return [
    { name: 'tests', commands: [vitest('unit', 'isolated', 'integration', 'store')] },
    { name: 'lint', commands: [{ run: ['biome', 'check', '--error-on-warnings', '.'] }, language] },
    { name: 'types', commands: [compiler('tsconfig.test.json')] },
    { name: 'build', isFull: true, commands: [...builds(), pack] },
    { name: 'all types', isFull: true, commands: [compiler('tsconfig.json'), compiler('tsconfig.neutral.json')] },
    { name: 'unused code', isFull: true, commands: [{ run: ['knip', '--no-progress'] }] },
    // The longest one comes first: two suites run at a time, and none is left to run alone at the end.
    { name: 'full', isFull: true, needs: ['build'], commands: [vitest('full')] },
    { name: 'system', isFull: true, needs: ['build'], commands: [vitest('system')] },
    { name: 'examples', isFull: true, commands: [vitest('examples', 'msw-2', 'mirror')] },
    { name: 'postgres', isFull: true, needs: ['build'], commands: [vitest('postgres')] },
    { name: 'clone', isFull: true, isAlone: true, needsNetwork: true, commands: [vitest('clone')] },
  ];
}

const language: Command = { run: ['node', 'packages/docs-site/src/language/main.ts'] };
const pack: Command = { run: ['node', 'packages/system-tests/src/packages/pack-packages.ts'] };

function compiler(project: string): Command {
  return { run: ['node', 'node_modules/typescript/bin/tsc', '--project', project] };
}

function builds(): Command[] {
  const configurations = globSync('packages/*/tsup.config.ts', { cwd: root }).sort();
  return configurations.map((path) => ({ folder: dirname(path), run: ['node', '--run', 'build'] }));
}
