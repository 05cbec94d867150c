import type { ListedMemory } from '@memory-read/client';
import { listen } from '@memory-read/test-kit/listen';
import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { onTestFinished } from 'vitest';

/** A server with the memories of one account, which a test can change. */
export interface Account {
  /** Newest first. */
  memories: ListedMemory[];
  /** Accepts requests, but never responds. */
  isSilent: boolean;
  /** The keys that the server accepts. Default: all. */
  accepted?: string[] | undefined;
  /** Called before each response, which waits for it. */
  onRequest: () => void | Promise<void>;
  /** Environment of the command, with the base URL and the key. */
  env: Record<string, string>;
}

/** Starts the server. It ends with the test. */
export async function startAccount(memories: ListedMemory[]): Promise<Account> {
  const account: Account = { memories, isSilent: false, onRequest: () => {}, env: {} };
  const server = await listen(async (request, answer) => {
    await account.onRequest();
    if (account.isSilent) return;
    answer.setHeader('content-type', 'application/json');
    const send = (status: number, body: unknown) => void answer.writeHead(status).end(JSON.stringify(body));
    const [, id] = /^\/v1\/memories\/(.+)$/.exec(request.url ?? '') ?? [];
    const sentKey = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (account.accepted?.includes(sentKey) === false) return send(401, { detail: 'Invalid API key' });
    if (id === undefined) return send(200, account.memories);
    const found = account.memories.find((memory) => memory.id === id);
    return send(found ? 200 : 404, found ?? { detail: 'Memory not found' });
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  account.env = { MEMORY_API_URL: server.url, MEMORY_API_KEY: 'mrk_hush' };
  return account;
}

/** Returns a processed memory without media, with the given fields. */
export function listed(overrides: Partial<ListedMemory> = {}): ListedMemory {
  return sampleListedMemory({
    name: 'Weekly planning',
    started_at: '2026-03-01T08:00:00Z',
    ended_at: '2026-03-01T08:10:00Z',
    duration_seconds: 600,
    audio_url: null,
    summary: { quick_summary: 'Plans for the week.', key_takeaways: ['Ship it.'] },
    ...overrides,
  });
}
