import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/ids.ts'],
  format: ['esm'],
  target: 'es2022',
  platform: 'node',
  external: [/^node:/],
  removeNodeProtocol: false,
  dts: true,
  sourcemap: true,
  clean: true,
});
