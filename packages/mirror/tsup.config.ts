import { defineConfig } from 'tsup';
import { versionOfManifest } from '../../tsup.plugins.ts';

export default defineConfig({
  entry: ['src/index.ts', 'src/ids.ts'],
  format: ['esm'],
  target: 'es2022',
  platform: 'node',
  external: [/^node:/],
  removeNodeProtocol: false,
  dts: true,
  esbuildPlugins: [versionOfManifest],
  sourcemap: true,
  clean: true,
});
