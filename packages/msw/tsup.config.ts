import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    node: 'src/node/index.ts',
    browser: 'src/browser/index.ts',
    fetch: 'src/fetch/index.ts',
    server: 'src/server/index.ts',
  },
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  removeNodeProtocol: false,
  dts: true,
  sourcemap: true,
  clean: true,
});
