import { readFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** The version is told to servers; users need not load the rest of the manifest. */
const versionOfManifest: Plugin = {
  name: 'version-of-manifest',
  setup(build) {
    build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

const published = {
  index: 'src/index.ts',
  'media-url': 'src/media/media-url.ts',
  node: 'src/node/index.ts',
  transcript: 'src/transcript/index.ts',
};

export default defineConfig({
  // Bundlers leave out whole files, but not the errors and the client within one. As entries, what these two load are
  // files of their own: a frontend may have no other use for this package than to tell its errors.
  entry: {
    ...published,
    'memory-client': 'src/memory-client.ts',
    'errors/is-memory-api-error': 'src/errors/is-memory-api-error.ts',
  },
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  removeNodeProtocol: false,
  dts: { entry: published },
  esbuildPlugins: [versionOfManifest],
  sourcemap: true,
  clean: true,
});
