import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

export default defineConfig({
  plugins: [react(), serviceWorkerOfMock(), printAddress()],
  logLevel: 'warn',
  // Resolves the packages to their sources, so that this repository needs no build, and their MSW to that of this
  // folder, because they have none of their own. Remove this line from your own project.
  resolve: { conditions: ['@memory-read/source', ...defaultClientConditions], dedupe: ['msw'] },
  server: { proxy: { '/api': process.env.BACKEND ?? 'http://127.0.0.1:8788' } },
});

/** Prints the address, and nothing else. */
function printAddress(): Plugin {
  return {
    name: 'print-address',
    configureServer: (server) => {
      server.printUrls = () => console.log(`The viewer is at ${server.resolvedUrls?.local[0]}. End it with Ctrl+C.`);
    },
  };
}

/** Serves MSW's service worker while developing; a build has none of it. */
function serviceWorkerOfMock(): Plugin {
  return {
    name: 'service-worker-of-mock',
    configureServer: ({ middlewares }) => {
      const path = fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'));
      middlewares.use('/mockServiceWorker.js', (_, response) => {
        response.setHeader('content-type', 'text/javascript').end(readFileSync(path));
      });
    },
  };
}
