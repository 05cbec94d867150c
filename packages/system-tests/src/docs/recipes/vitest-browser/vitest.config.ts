import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '@memory-read/test-kit/repository';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, mergeConfig } from 'vitest/config';
import shownConfig from './msw-vitest-browser-config.node.ts';

/** The configuration of the guide, with additions for a repository without its own Chromium. */
export default mergeConfig(
  shownConfig,
  defineConfig({
    root: import.meta.dirname,
    publicDir: dirname(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'))),
    cacheDir: join(root, 'node_modules', '.cache', 'vitest-browser'),
    // The cache of another run must not affect this run.
    optimizeDeps: { force: true },
    resolve: { conditions: ['@memory-read/source', 'module', 'browser', 'development|production'] },
    test: {
      include: ['msw-vitest-browser.page.ts'],
      browser: {
        provider: playwright({ launchOptions: { executablePath: process.env.CHROME_PATH ?? '' } }),
        // Screenshots would be saved next to the examples.
        screenshotFailures: false,
      },
    },
  }),
);
