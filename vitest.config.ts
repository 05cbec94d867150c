import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

const source = '@memory-read/source';

// Tests run on the sources: nothing has to be built before `npm run test:unit`.
const resolve = {
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
};

export default defineConfig({
  test: {
    projects: [
      {
        ...resolve,
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], exclude: ['packages/system-tests/**'] },
      },
      {
        ...resolve,
        test: {
          name: 'system',
          include: ['packages/system-tests/src/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
