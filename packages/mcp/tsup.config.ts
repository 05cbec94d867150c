import { readFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Clients need only the version, so the rest of the manifest is not bundled. */
const versionOfManifest: Plugin = {
  name: 'version-of-manifest',
  setup(build) {
    build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    receipt: 'src/receipt/index.ts',
    node: 'src/node/index.ts',
    main: 'src/node/main.ts',
  },
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  removeNodeProtocol: false,
  dts: { entry: { index: 'src/index.ts', receipt: 'src/receipt/index.ts', node: 'src/node/index.ts' } },
  esbuildPlugins: [versionOfManifest],
  sourcemap: true,
  clean: true,
});
