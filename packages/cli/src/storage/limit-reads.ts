import type { PostgresPool, PostgresResult } from '@memory-read/server/postgres';
import type { Client, Pool, PoolClient } from 'pg';

/**
 * Returns the pool with a timeout for reads, which are the statements that begin with `SELECT`.
 *
 * A read that times out destroys its connection. If no other connection received a byte since the read was sent, the
 * network or the server is gone: all connections are destroyed, so that no later read waits for one of them. If another
 * one did, the read waits for a lock or is slow, and only its own connection is destroyed.
 */
export function limitReads(pool: Pool, readTimeoutMs: number): PostgresPool {
  /** Open connections, and how often each one received bytes. */
  const received = new Map<PoolClient, number>();
  let receivedByAll = 0;
  const receivedByOthers = (client: PoolClient) => receivedByAll - (received.get(client) ?? 0);

  pool.on('connect', (client) => {
    // A lent connection that breaks without a listener would end the process. Its statement reports the reason.
    client.on('error', () => {});
    const count = () => {
      receivedByAll += 1;
      received.set(client, (received.get(client) ?? 0) + 1);
    };
    // The server has accepted the connection.
    count();
    streamOf(client).on('data', count);
    client.once('end', () => received.delete(client));
  });

  function evict(slow: PoolClient, receivedBefore: number): void {
    const isAlone = receivedByOthers(slow) === receivedBefore;
    streamOf(slow).destroy(timeoutError(readTimeoutMs));
    if (isAlone) for (const client of received.keys()) streamOf(client).destroy();
  }

  async function run(client: PoolClient, text: string, values?: unknown[]): Promise<PostgresResult> {
    if (!/^\s*SELECT\b/i.test(text)) return client.query(text, values);
    const receivedBefore = receivedByOthers(client);
    let eviction: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // If the process was suspended, a result that has arrived meanwhile is read first.
      eviction = setImmediate(evict, client, receivedBefore);
    }, readTimeoutMs);
    try {
      return await client.query(text, values);
    } finally {
      clearTimeout(timer);
      clearImmediate(eviction);
    }
  }

  return {
    get idleCount() {
      return pool.idleCount;
    },
    async query(text, values) {
      const client = await pool.connect();
      let isUsable = false;
      try {
        const result = await run(client, text, values);
        isUsable = true;
        return result;
      } finally {
        client.release(!isUsable);
      }
    },
    async connect() {
      const client = await pool.connect();
      return {
        query: (text, values) => run(client, text, values),
        release: (destroy) => client.release(destroy),
        on: (event, listener) => client.on(event, listener),
        removeListener: (event, listener) => client.removeListener(event, listener),
      };
    },
  };
}

/** Has the code with which PostgreSQL itself cancels a statement that takes too long. */
function timeoutError(milliseconds: number): Error {
  const message = `Failed to read from PostgreSQL: it took longer than ${milliseconds} ms. Check its load and its locks.`;
  return Object.assign(new Error(message), { code: '57014' });
}

/** With TLS, this is the encrypted stream. */
function streamOf(client: PoolClient) {
  return (client as unknown as Client).connection.stream;
}
