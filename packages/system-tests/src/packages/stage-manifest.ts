import { versionOf } from './packed-packages.ts';

/** Parts of a manifest that change before publishing. */
export interface Manifest {
  exports: Record<string, Record<string, string> | string>;
  files: string[];
  scripts?: unknown;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: unknown;
  repository?: unknown;
}

/** Removes what only this repository needs, and adds the files of the package. */
export function stageManifest(manifest: Manifest, name: string, environment: NodeJS.ProcessEnv): Manifest {
  const { scripts: _scripts, devDependencies: _devDependencies, ...published } = manifest;
  return {
    ...published,
    ...repositoryOf(name, environment),
    ...rangesOf(manifest),
    files: [...manifest.files, 'docs', 'CHANGELOG.md', 'SECURITY.md'],
    ...withoutExports(manifest.exports),
    exports: Object.fromEntries(
      Object.entries(manifest.exports).map(([subpath, target]) => [subpath, withoutSource(target)]),
    ),
  };
}

/** Names the entries again for tools that know no `exports`, such as TypeScript with `moduleResolution: node10`. */
function withoutExports({ '.': root, ...subpaths }: Manifest['exports']): object {
  if (typeof root !== 'object') return {};
  const typed = Object.entries(subpaths).flatMap(([subpath, target]) =>
    typeof target === 'object' ? [[subpath.replace('./', ''), [target.types]]] : [],
  );
  return {
    main: root.default,
    types: root.types,
    ...(typed.length > 0 && { typesVersions: { '*': Object.fromEntries(typed) } }),
  };
}

/** Replaces `workspace:^` by the version of the package in this repository. */
function rangesOf(manifest: Manifest): Partial<Manifest> {
  const kinds = (['dependencies', 'peerDependencies'] as const).filter((kind) => manifest[kind] !== undefined);
  return Object.fromEntries(
    kinds.map((kind) => {
      const ranges = Object.entries(manifest[kind] ?? {}).map(([name, range]) => {
        return [name, range === 'workspace:^' ? `^${versionOf(name.replace('@memory-read/', ''))}` : range];
      });
      return [kind, Object.fromEntries(ranges)];
    }),
  );
}

/** The sources are not published, because source maps contain what debuggers show of them. */
function withoutSource(target: Manifest['exports'][string]): Manifest['exports'][string] {
  if (typeof target === 'string') return target;
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
