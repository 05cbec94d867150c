import { defineConfig } from 'tsup';
import { versionOfManifest } from '../../tsup.plugins.ts';

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
