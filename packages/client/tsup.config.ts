import { defineConfig } from 'tsup';
import { versionOfManifest } from '../../tsup.plugins.ts';

const published = {
  functions: 'src/functions/index.ts',
  index: 'src/index.ts',
  'media-url': 'src/media/media-url.ts',
  node: 'src/node/index.ts',
  playback: 'src/playback/index.ts',
  query: 'src/query/index.ts',
  search: 'src/search/index.ts',
  transcript: 'src/transcript/index.ts',
};

export default defineConfig({
  // Bundlers drop unused files, but not unused classes of a file. These entries split the output into several files, so
  // that a frontend can bundle `isMemoryApiError` without the client.
  entry: {
    ...published,
    'memory-client': 'src/memory-client.ts',
    'errors/is-memory-api-error': 'src/errors/is-memory-api-error.ts',
  },
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  // Little of it is used. Another file to load would make each start of a program slower.
  noExternal: ['@memory-read/contract/event-loop', '@memory-read/contract/options'],
  esbuildOptions: (options) => {
    options.conditions = ['@memory-read/source'];
  },
  removeNodeProtocol: false,
  dts: { entry: published },
  esbuildPlugins: [versionOfManifest],
  sourcemap: true,
  clean: true,
});
