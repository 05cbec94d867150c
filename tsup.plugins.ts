import { readFile } from 'node:fs/promises';
import type { Options } from 'tsup';

/** Replaces a manifest by its version, which is all that a build needs of it. */
export const versionOfManifest: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'version-of-manifest',
  setup(build) {
    build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
