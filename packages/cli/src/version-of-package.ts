import { readFileSync } from 'node:fs';

/** The version in the manifest of this package, which lies above the sources as above what is built. */
export function versionOfPackage(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
