import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    openapi: 'src/openapi/index.ts',
    operations: 'src/operations/index.ts',
  },
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  dts: { resolve: ['@standard-schema/spec'] },
  sourcemap: true,
  clean: true,
});
