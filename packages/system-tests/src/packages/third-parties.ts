import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { packageTable } from '@memory-read/integration-tests/architecture/package-table';
import { root } from '@memory-read/test-kit/repository';

/** An installed package of others. */
export interface ThirdParty {
  /** The package of this repository that depends on it. */
  owner: string;
  name: string;
  path: string;
}

/** Returns what these packages need with its dependencies, which pnpm stores next to it, and without peers. */
export function thirdPartiesOf(owners: readonly string[]): ThirdParty[] {
  const direct = directOthersOf(owners).filter((found) => !isPeer(found));
  return [...new Map(direct.flatMap(withDependencies).map((found) => [found.name, found])).values()];
}

/** Returns the packages of others that are dependencies of these packages. */
export function directOthersOf(owners: readonly string[]): ThirdParty[] {
  return owners.flatMap((owner) =>
    (packageTable[owner]?.others ?? []).map((name) => ({
      owner,
      name,
      path: realpathSync(join(root, 'packages', owner, 'node_modules', name)),
    })),
  );
}

/** Copies an installed package. npm fails if a package lies in the folder of a scope below node_modules. */
export function copyThirdParty(name: string, path: string, folder: string): string {
  const copy = join(folder, name.replace('/', '-'));
  cpSync(path, copy, { recursive: true });
  return copy;
}

/** Returns whether the owner leaves the version to its user. */
export function isPeer({ owner, name }: ThirdParty): boolean {
  const { peerDependencies = {} } = JSON.parse(readFileSync(join(root, 'packages', owner, 'package.json'), 'utf8'));
  return Object.hasOwn(peerDependencies, name);
}

function withDependencies({ owner, name, path }: ThirdParty): ThirdParty[] {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const neighbours = join(path, name.startsWith('@') ? '../..' : '..');
  // npm lists optional packages too, and pnpm leaves out those that this machine cannot use.
  const optional = Object.keys(optionalDependencies).filter((dependency) => existsSync(join(neighbours, dependency)));
  const below = [...Object.keys(dependencies), ...optional].map((dependency) => ({
    owner,
    name: dependency,
    path: realpathSync(join(neighbours, dependency)),
  }));
  return [{ owner, name, path }, ...below.flatMap(withDependencies)];
}
