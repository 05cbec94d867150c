import { execFileSync } from 'node:child_process';

/** What a tarball says of itself. */
export interface PackedPackage {
  name: string;
  version: string;
  files: number;
}

/** Reads the manifest in a tarball. */
export function describeTarball(path: string): PackedPackage {
  const manifest = execFileSync('tar', ['-xzOf', path, 'package/package.json'], { encoding: 'utf8' });
  const list = execFileSync('tar', ['-tzf', path], { encoding: 'utf8' });
  const { name, version } = JSON.parse(manifest) as PackedPackage;
  return { name, version, files: list.trimEnd().split('\n').length };
}
