/** Parts of a manifest that change before publishing. */
export interface Manifest {
  exports: Record<string, unknown>;
  files: string[];
  scripts?: unknown;
  devDependencies?: unknown;
  repository?: unknown;
}

/** Removes what only this repository needs, and adds the files of the package. */
export function stageManifest(manifest: Manifest, name: string, environment: NodeJS.ProcessEnv): Manifest {
  const { scripts: _scripts, devDependencies: _devDependencies, ...published } = manifest;
  return {
    ...published,
    ...repositoryOf(name, environment),
    files: [...manifest.files, 'docs', 'CHANGELOG.md', 'SECURITY.md'],
    exports: Object.fromEntries(
      Object.entries(manifest.exports).map(([subpath, target]) => [subpath, withoutSource(target)]),
    ),
  };
}

/** The sources are not published, because source maps contain what debuggers show of them. */
function withoutSource(target: unknown): unknown {
  if (typeof target !== 'object' || target === null) return target;
  return Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== '@memory-read/source'));
}

/**
 * Only the workflow that publishes knows the address of the repository. For provenance, the manifest must contain it.
 */
function repositoryOf(name: string, { GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv): object {
  if (GITHUB_SERVER_URL === undefined || GITHUB_REPOSITORY === undefined) return {};
  const url = `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`;
  return { repository: { type: 'git', url, directory: `packages/${name}` } };
}
