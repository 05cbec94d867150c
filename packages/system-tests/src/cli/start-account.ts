import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListedMemory } from '@memory-read/client';
import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { onTestFinished } from 'vitest';

/** A server with the memories of one account, which a test changes as it likes. */
export interface Account {
  /** Newest first. */
  memories: ListedMemory[];
  /** Takes requests, and says nothing. */
  isSilent: boolean;
  /** Ids of memories that its key may not read. */
  refused: string[];
  /** Called before each answer. */
  onRequest: () => void;
  /** Where it is, and the key, for the command. */
  env: Record<string, string>;
}

/** Starts the server; it ends with the test. */
export async function startAccount(memories: ListedMemory[]): Promise<Account> {
  const account: Account = { memories, isSilent: false, refused: [], onRequest: () => {}, env: {} };
  const server = createServer((request, answer) => {
    account.onRequest();
    if (account.isSilent) return;
    answer.setHeader('content-type', 'application/json');
    const [, id] = /^\/v1\/memories\/(.+)$/.exec(request.url ?? '') ?? [];
    const found = account.memories.find((memory) => memory.id === id);
    if (id !== undefined && found === undefined) answer.statusCode = 404;
    if (id !== undefined && account.refused.includes(id)) {
      answer.statusCode = 401;
      answer.end('{"detail":"Invalid API key"}');
      return;
    }
    const single = found ?? { detail: 'Memory not found' };
    answer.end(JSON.stringify(id === undefined ? account.memories : single));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  account.env = { MEMORY_API_URL: `http://127.0.0.1:${port}`, MEMORY_API_KEY: 'mrk_hush' };
  return account;
}

/** A processed memory without media, with what the test cares about. */
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
