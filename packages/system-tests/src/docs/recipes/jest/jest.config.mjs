import { join } from 'node:path';

const common = {
  rootDir: import.meta.dirname,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': join(import.meta.dirname, 'strip-types.cjs') },
  // A project that installs the packages from npm needs no custom condition.
  testEnvironmentOptions: { customExportConditions: ['@memory-read/source', 'node'] },
};

export default {
  projects: [
    { ...common, displayName: 'node', testMatch: ['**/msw-jest.node.ts'] },
    {
      ...common,
      displayName: 'jsdom',
      testMatch: ['**/msw-jest-jsdom.node.ts'],
      testEnvironment: join(import.meta.dirname, 'msw-jest-jsdom-environment.node.ts'),
    },
  ],
};
