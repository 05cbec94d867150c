import { join } from 'node:path';

const common = {
  rootDir: import.meta.dirname,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': join(import.meta.dirname, 'strip-types.cjs') },
  testEnvironmentOptions: { customExportConditions: ['node'] },
};

export default {
  projects: [
    { ...common, displayName: 'node', testMatch: ['**/msw-jest.node.ts'] },
    { ...common, displayName: 'commonjs', testMatch: ['**/jest.test.cjs'] },
    { ...common, displayName: 'esm', testMatch: ['**/jest.test.mjs'] },
    {
      ...common,
      displayName: 'jsdom',
      testMatch: ['**/msw-jest-jsdom.node.ts'],
      testEnvironment: join(import.meta.dirname, 'msw-jest-jsdom-environment.node.ts'),
    },
  ],
};
