/** The version in the manifest of this package, which lies above the sources as above what is built. */
export function versionOfPackage(): string {
  // To import it would load all that it loads when it is needed, such as promises and watchers: a tenth of a start.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
