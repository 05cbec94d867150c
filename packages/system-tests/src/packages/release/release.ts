import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface ReleaseOptions {
  /** The repository's folder. */
  folder: string;
  /** The npm script that must pass first. It builds and packs the packages. */
  checks: string;
  /** The tarballs that the checks create, each after those of its dependencies. */
  tarballs: () => readonly string[];
  /** Publishes nothing and creates no tag. */
  isDryRun: boolean;
  /** Publishes with provenance. Works in a workflow that npm trusts. */
  withProvenance: boolean;
  /** Pushes the tags to `origin`. */
  pushesTags: boolean;
  log: (line: string) => void;
}

/** Publishes the packed packages that are not published yet, and tags the commit for each of them. */
export function release(options: ReleaseOptions): void {
  refuseChangedFiles(options.folder);
  refusePendingChangesets(options.folder);
  runChecks(options);
  const tags = options.tarballs().flatMap((path) => publish(path, options));
  tagCommit(tags, options);
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

/** Returns the tag of the published version, or undefined. */
function publish(path: string, options: ReleaseOptions): string[] {
  const { name, version } = JSON.parse(
    execFileSync('tar', ['-xzOf', path, 'package/package.json'], { encoding: 'utf8' }),
  );
  const files = execFileSync('tar', ['-tzf', path], { encoding: 'utf8' }).trimEnd().split('\n').length;
  const tag = `${name}@${version}`;
  if (isPublished(tag, options.folder)) {
    options.log(`${tag} is published already`);
    return [];
  }
  const flags = [...(options.isDryRun ? ['--dry-run'] : []), ...(options.withProvenance ? ['--provenance'] : [])];
  const { status, stderr } = run(options.folder, 'npm', ['publish', path, '--access', 'public', ...flags]);
  if (status !== 0) {
    throw new Error(
      `Failed to release ${tag}: npm publish failed. Correct what it reports, then release again. Published packages are skipped.\n${stderr}`,
    );
  }
  options.log(`${tag} ${options.isDryRun ? 'would be' : 'is'} published, ${files} files`);
  return [tag];
}

/** Returns whether the version is published. If the registry cannot be reached, publishing fails with the reason. */
function isPublished(tag: string, folder: string): boolean {
  const { status, stdout } = run(folder, 'npm', ['view', tag, 'version', '--fetch-retries=0']);
  return status === 0 && stdout.trim() !== '';
}

function tagCommit(tags: readonly string[], { folder, isDryRun, pushesTags, log }: ReleaseOptions): void {
  if (isDryRun || tags.length === 0) return;
  for (const tag of tags) demand(run(folder, 'git', ['tag', tag]), `tag the commit with ${tag}`);
  if (pushesTags)
    demand(run(folder, 'git', ['push', 'origin', ...tags.map((tag) => `refs/tags/${tag}`)]), 'send the tags');
  else log('Now send the tags: git push origin --tags');
}

function demand({ status, stderr }: ReturnType<typeof run>, what: string): void {
  if (status === 0) return;
  throw new Error(`Failed to ${what}: git failed. The packages are published; run the git command by hand.\n${stderr}`);
}

function run(folder: string, program: string, args: readonly string[]) {
  return spawnSync(program, args, { cwd: folder, encoding: 'utf8', shell: isWindows && program === 'npm' });
}

const isWindows = process.platform === 'win32';
