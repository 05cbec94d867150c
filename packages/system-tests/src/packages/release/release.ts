import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readProject } from '../project.ts';

export interface ReleaseOptions {
  /** The repository's folder. */
  folder: string;
  /** The npm script that must pass first. It builds and packs the packages. */
  checks: string;
  /** The tarballs that the checks create, each after those of its dependencies. */
  tarballs: () => readonly string[];
  /** A new folder for the tarballs and their sums. */
  out: string;
  /** Of the workflow, if one runs. */
  environment: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/** Puts the packages of a committed and tested state into a folder, with a `SHA256SUMS` in the order of publishing. */
export function release(options: ReleaseOptions): void {
  refuseWrongRepository(options);
  refuseChangedFiles(options.folder);
  refusePendingChangesets(options.folder);
  runChecks(options);
  mkdirSync(options.out);
  const sums = options.tarballs().map((path) => {
    copyFileSync(path, join(options.out, basename(path)));
    options.log(basename(path));
    return `${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${basename(path)}\n`;
  });
  writeFileSync(join(options.out, 'SHA256SUMS'), sums.join(''));
}

function refuseWrongRepository({ folder, environment }: ReleaseOptions): void {
  const { repository } = readProject(folder);
  if (repository === undefined)
    throw new Error(
      'Failed to release: the repository in package.json is still a placeholder. Replace OWNER there, commit, then release again.',
    );
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = environment;
  const place = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
  if (GITHUB_REPOSITORY === undefined || place === repository) return;
  throw new Error(
    `Failed to release: package.json names the repository ${repository}, but the workflow runs in ${place}, so npm would refuse the provenance. Correct repository in package.json and commit, then release again.`,
  );
}

function refuseChangedFiles(folder: string): void {
  const { stdout } = run(folder, 'git', ['status', '--porcelain']);
  const changed = stdout.split('\n').filter((line) => line !== '');
  if (changed.length === 0) return;
  throw new Error(
    `Failed to release: ${changed.length === 1 ? 'one file is' : `${changed.length} files are`} not committed, such as ${changed[0]?.slice(3)}. Commit or remove them, then release again.`,
  );
}

function refusePendingChangesets(folder: string): void {
  const pending = readdirSync(join(folder, '.changeset')).filter((name) => name.endsWith('.md'));
  if (pending.length === 0) return;
  throw new Error(
    `Failed to release: no version contains the changes of .changeset/${pending[0]} yet. Run npm run changeset version, review and commit what it wrote, then release again.`,
  );
}

function runChecks({ folder, checks }: ReleaseOptions): void {
  const { status } = spawnSync('npm', ['run', checks], { cwd: folder, stdio: 'inherit', shell: isWindows });
  if (status === 0) return;
  throw new Error(
    `Failed to release: npm run ${checks} failed. Correct what it reports above, commit, then release again.`,
  );
}

function run(folder: string, program: string, args: readonly string[]) {
  return spawnSync(program, args, { cwd: folder, encoding: 'utf8', shell: isWindows });
}

const isWindows = process.platform === 'win32';
