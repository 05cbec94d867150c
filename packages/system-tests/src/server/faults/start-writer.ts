import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createPostgresStore } from '@memory-read/server/postgres';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { Pool } from 'pg';
import { type Load, startLoad } from './load.ts';

const limits = { max: 1, connectionTimeoutMillis: 1_000, query_timeout: 1_000 };
// Without a pause, a writer that no server accepts would keep a core busy.
const pauseMs = 20;

/**
 * Writes memories to an account, one after the other, to the server of these URLs that accepts them. The body of each
 * outcome with status 200 is the id of a memory whose write was acknowledged.
 */
export function startWriter(urls: readonly string[], userId: string): Load {
  const pools = urls.map((url) => new Pool({ connectionString: url, ...limits }).on('error', () => {}));
  const stores = pools.map((pool) => createPostgresStore({ pool }));
  let turn = 0;
  const load = startLoad(1, async () => {
    const id = randomUUID();
    try {
      await stores[turn]?.putMemories(userId, [sampleRecord({ id })]);
      return new Response(id);
    } catch (error) {
      turn = (turn + 1) % stores.length;
      await setTimeout(pauseMs);
      throw error;
    }
  });
  let stopped: Promise<unknown> | undefined;
  return {
    ...load,
    async stop() {
      stopped ??= load.stop().then(() => Promise.all(pools.map((pool) => pool.end())));
      await stopped;
    },
  };
}
