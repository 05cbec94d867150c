/**
 * Returns the version in the manifest of this package. The manifest has the same relative path from sources and build.
 */
export function versionOfPackage(): string {
  // A static import of `node:fs` would load promises and watchers too, a tenth of the start time.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
