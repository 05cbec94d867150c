import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', clients: 'src/clients/index.ts' },
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  removeNodeProtocol: false,
  dts: true,
  sourcemap: true,
  clean: true,
});
