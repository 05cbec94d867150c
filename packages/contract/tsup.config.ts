import { readFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** zod keeps its settings in one global for all copies of it; what a user sets there must not reach the copy in here. */
const ownZodSettings: Plugin = {
  name: 'own-zod-settings',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]core[\\/].*\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('__zod_global', '__memory_read_zod_'),
      loader: 'js',
    }));
  },
};

export default defineConfig({
  entry: {
    'base-url': 'src/base-url.ts',
    'date-time': 'src/date-time.ts',
    'event-loop': 'src/event-loop/index.ts',
    fields: 'src/fields.ts',
    'file-errors': 'src/file-errors.ts',
    index: 'src/index.ts',
    'memory-state': 'src/memory-state.ts',
    openapi: 'src/openapi/index.ts',
    operations: 'src/operations/index.ts',
    options: 'src/options.ts',
    program: 'src/program.ts',
    redaction: 'src/redaction/index.ts',
    'visible-text': 'src/visible-text/index.ts',
  },
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  dts: { resolve: ['@standard-schema/spec'] },
  esbuildPlugins: [ownZodSettings],
  sourcemap: true,
  clean: true,
});
