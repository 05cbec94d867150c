/** What of a manifest is changed on the way to its users. */
export interface Manifest {
  exports: Record<string, unknown>;
  files: string[];
  scripts?: unknown;
  devDependencies?: unknown;
  repository?: unknown;
}

/** Without what serves this repository alone, and with what was added to the package. */
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

/** The sources stay here: source maps hold what debuggers show of them. */
function withoutSource(target: unknown): unknown {
  if (typeof target !== 'object' || target === null) return target;
  return Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== '@memory-read/source'));
}

/** Only where a workflow publishes is it known where the repository lies; provenance needs the manifest to agree. */
function repositoryOf(name: string, { GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv): object {
  if (GITHUB_SERVER_URL === undefined || GITHUB_REPOSITORY === undefined) return {};
  const url = `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`;
  return { repository: { type: 'git', url, directory: `packages/${name}` } };
}
