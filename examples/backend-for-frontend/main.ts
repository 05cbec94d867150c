import { fileURLToPath } from 'node:url';
import { serve } from '@memory-read/server/node';
import { createBackend } from './create-backend.ts';

const { MEMORY_API_URL: apiUrl, MEMORY_API_KEY: apiKey, MEDIA_ORIGIN: mediaOrigin, PORT = '8788', HOSTS } = process.env;
if (!apiUrl || !apiKey) {
  console.error('Failed to start the backend: MEMORY_API_URL or MEMORY_API_KEY is not set. Set both.');
  process.exit(2);
}

const pages = process.env.PAGES ?? fileURLToPath(new URL('../memory-viewer/dist', import.meta.url));
const onError = (error: unknown) => console.error(error instanceof Error ? error.message : error);
const backend = createBackend({ apiUrl, apiKey, pages, hosts: HOSTS?.split(','), mediaOrigin, onError });
const server = await serve({ fetch: (request) => backend.fetch(request), port: Number(PORT), onError });
console.log(`The pages are at ${server.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
