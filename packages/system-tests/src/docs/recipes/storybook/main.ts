import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StorybookConfig } from '@storybook/html-vite';

const config: StorybookConfig = {
  framework: '@storybook/html-vite',
  stories: ['./*.stories.ts'],
  staticDirs: [dirname(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js')))],
  core: { disableTelemetry: true },
  // A project that installs the packages from npm needs no custom condition.
  viteFinal: (vite) => ({
    ...vite,
    resolve: { ...vite.resolve, conditions: ['@memory-read/source', 'module', 'browser', 'development|production'] },
  }),
};
export default config;
