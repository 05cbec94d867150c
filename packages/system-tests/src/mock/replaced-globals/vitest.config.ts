import { defineConfig } from 'vitest/config';

const conditions = ['@memory-read/source', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['**/in-vitest*.node.ts'],
    // Vitest fakes nextTick in threads only.
    pool: 'threads',
    testTimeout: 20_000,
  },
});
