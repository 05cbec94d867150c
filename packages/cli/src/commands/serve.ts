import { apiKeyAuthenticator, createApiKey, createInMemoryStore, createMemoryApi } from '@memory-read/server';
import { type RunningServer, serve } from '@memory-read/server/node';
import { Command } from 'commander';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve the API, its media and its reference page.')
    .option('--demo', 'with a dozen memories of an account of its own, and a key for it')
    .option('--in-memory', 'keep everything in memory and forget it at the end')
    .option('--db <file>', 'SQLite file')
    .option('--media-dir <directory>', 'where media files lie')
    .action(runServe);
}

async function runServe(): Promise<void> {
  const store = createInMemoryStore();
  const { key, ...apiKey } = createApiKey();
  await store.putAccount({ userId: 'user_demo', name: 'Demo' });
  await store.putApiKey({ ...apiKey, userId: 'user_demo' });
  const api = createMemoryApi({
    store,
    authenticate: apiKeyAuthenticator(store),
    mediaSigner: { sign: ({ objectKey }) => `http://127.0.0.1/media/${objectKey}` },
  });
  const server = await listen(api.fetch);
  process.once('SIGINT', () => server.close());
  process.once('SIGTERM', () => server.close());
  if (!process.stdout.isTTY) {
    process.stdout.write(`${JSON.stringify({ event: 'ready', baseUrl: server.url, apiKey: key })}\n`);
    return;
  }
  process.stdout.write(
    `Serving on ${server.url}\n\n  curl -H 'Authorization: Bearer ${key}' ${server.url}/v1/memories\n`,
  );
}

async function listen(fetch: (request: Request) => Promise<Response>): Promise<RunningServer> {
  for (let port = 8787; ; port += 1) {
    try {
      return await serve({ fetch, port, overrideGlobalObjects: true });
    } catch (error) {
      if (!isPortTaken(error)) throw error;
    }
  }
}

function isPortTaken(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException) : undefined;
  return cause?.code === 'EADDRINUSE';
}
