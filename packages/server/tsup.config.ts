import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    node: 'src/adapters/node/index.ts',
    postgres: 'src/adapters/postgres/index.ts',
    s3: 'src/adapters/s3/index.ts',
    sqlite: 'src/adapters/sqlite/index.ts',
    testing: 'src/testing/index.ts',
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
