import { join } from 'node:path';

const recipes = join(import.meta.dirname, '../../docs/recipes/jest');
const environment = { testEnvironmentOptions: { customExportConditions: ['@memory-read/source', 'node'] } };
const common = {
  ...environment,
  rootDir: import.meta.dirname,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': join(recipes, 'strip-types.cjs') },
  testMatch: ['**/in-jest.node.ts'],
};
const msw2 = { moduleNameMapper: { '^msw(/.*)?$': 'msw-2$1' } };
const globally = { fakeTimers: { enableGlobally: true, advanceTimers: true } };

export default {
  testTimeout: 20_000,
  projects: [
    { ...common, displayName: 'node' },
    { ...common, displayName: 'jsdom', testEnvironment: join(recipes, 'msw-jest-jsdom-environment.node.ts') },
    { ...common, displayName: 'msw-2', ...msw2 },
    { ...common, displayName: 'globally', ...globally, testMatch: ['**/in-jest-globally.node.ts'] },
  ],
};
