import { versionOf } from './packed-packages.ts';
import type { Project } from './project.ts';

/** Parts of a manifest that change before publishing. */
export interface Manifest {
  exports: Record<string, Record<string, string> | string>;
  files: string[];
  author?: string;
  keywords: string[];
  scripts?: unknown;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: unknown;
}

/** Removes what only this repository needs, and adds the files of the package and what it has in common with others. */
export function stageManifest(manifest: Manifest, name: string, files: string[], project: Project): Manifest {
  const { scripts: _scripts, devDependencies: _devDependencies, ...published } = manifest;
  return {
    ...published,
    ...addressesOf(name, project),
    ...rangesOf(manifest),
    author: project.author,
    keywords: [...project.keywords, ...manifest.keywords],
    files,
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

function addressesOf(name: string, { repository }: Project): object {
  if (repository === undefined) return {};
  const directory = `packages/${name}`;
  return {
    homepage: `${repository}/tree/HEAD/${directory}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: 'git', url: `git+${repository}.git`, directory },
  };
}
