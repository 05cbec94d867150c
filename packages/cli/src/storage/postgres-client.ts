import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PostgresStoreError, type PostgresStoreErrorCode } from '@memory-read/server/postgres';
import { Client, type ClientConfig, type DatabaseError } from 'pg';
import type { PostgresDatabase, PostgresHost } from './postgres-url.ts';

export interface PostgresClientOptions extends Pick<PostgresDatabase, 'name' | 'hosts' | 'mustBeWritable'> {
  /** Ends the search for a host. */
  signal: AbortSignal;
}

/** A started connection to one host. */
interface Attempt {
  host: PostgresHost;
  client: Client;
  stream: Duplex;
}

const defaultTimeoutMs = 5_000;
const readOnlyCode = '25006';

/**
 * Returns the class `Client` of `pg` for a pool, whose connections try several hosts.
 *
 * The hosts are tried in order, but the one that worked last is tried first, until a connection to it is lost or it
 * rejects a write. All attempts of a connection share `connectionTimeoutMillis`, so that a host that does not respond
 * leaves time for the others.
 */
export function createPostgresClient({ name, hosts, mustBeWritable, signal }: PostgresClientOptions): typeof Client {
  let lastWorking: PostgresHost | undefined;

  function start(config: ClientConfig, host: PostgresHost): Attempt {
    const stream = config.stream?.() ?? new Socket();
    // The pool hides the password from copies.
    const client = new Client({ ...config, password: config.password, ...host, stream: () => stream });
    client.on('error', () => forget(host));
    return { host, client, stream };
  }

  function failure(code: PostgresStoreErrorCode, problem: string, options?: ErrorOptions): PostgresStoreError {
    return new PostgresStoreError(code, `Failed to use ${name}: ${problem}.`, options);
  }

  function forget(host: PostgresHost): void {
    if (lastWorking === host) lastWorking = undefined;
  }

  async function finish({ host, client, stream }: Attempt, timeoutMs: number): Promise<void> {
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      stream.destroy();
    }, timeoutMs);
    try {
      await client.connect();
      if (mustBeWritable && (await isReadOnly(client))) {
        throw failure(
          'not_writable',
          'none of its hosts accepts writes. Check that the primary server is one of them and runs',
        );
      }
    } catch (error) {
      // Without it, a connection that lacks the required password would stay open until the server closes it.
      void client.end();
      if (hasTimedOut) {
        throw failure(
          'unreachable',
          'the server did not respond in time. Check its address, and that PostgreSQL is running',
        );
      }
      const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      if (!isRefused || host.host || client.host.startsWith('/')) throw error;
      throw failure(
        'unreachable',
        `the URL has no host, and ${client.host}:${client.port} refused the connection. Check that PostgreSQL is running there. To use a Unix socket, add its folder to the URL, for example ?host=/run/postgresql`,
        { cause: error },
      );
    } finally {
      clearTimeout(timer);
    }
    // This comes after the listener of the client, so the statement gets its error before the connection ends.
    client.connection.on('errorMessage', ({ code }: DatabaseError) => {
      if (code !== readOnlyCode) return;
      forget(host);
      stream.destroy();
    });
  }

  /** `pg` connects a client only once. So each attempt has its own, and the pool sees the one of the latest attempt. */
  function createClient(config: ClientConfig): Client {
    const queue =
      lastWorking === undefined ? [...hosts] : [lastWorking, ...hosts.filter((host) => host !== lastWorking)];
    let attempt = start(config, queue.shift() as PostgresHost);

    async function connect(): Promise<void> {
      const deadline = performance.now() + (config.connectionTimeoutMillis || defaultTimeoutMs);
      const errors: unknown[] = [];
      for (;;) {
        try {
          await finish(attempt, (deadline - performance.now()) / (queue.length + 1));
          lastWorking = attempt.host;
          return;
        } catch (error) {
          errors.push(error);
          const next = queue.shift();
          if (next === undefined || signal.aborted || performance.now() >= deadline || isFinal(error)) break;
          attempt = start(config, next);
        }
      }
      throw mostTelling(errors);
    }

    return new Proxy(Client.prototype, {
      get: (_, key) => (key === 'connect' ? withCallback(connect) : Reflect.get(attempt.client, key)),
      set: (_, key, value) => Reflect.set(attempt.client, key, value),
    });
  }

  return new Proxy(Client, { construct: (_, [config = {}]: [ClientConfig?]) => createClient(config) });
}

/** The pool passes a callback. */
function withCallback(connect: () => Promise<void>) {
  return (callback: (error?: unknown) => void) => void connect().then(() => callback(), callback);
}

async function isReadOnly(client: Client): Promise<boolean> {
  const { rows } = await client.query('SHOW transaction_read_only');
  return rows[0]?.transaction_read_only === 'on';
}

/** A host that rejects the user ends the search, as with the tools of PostgreSQL. One that starts, stops or has no server behind it does not. */
function isFinal(error: unknown): boolean {
  // Only an error of the server has a severity.
  const { severity, code = '' } = Object(error);
  return severity !== undefined && !/^(08|57P)/.test(code);
}

/** Of several hosts, the error of the one with the most progress is the most useful. */
function mostTelling(errors: readonly unknown[]): unknown {
  const isNotWritable = (error: unknown) => Object(error).code === 'not_writable';
  return errors.find(isFinal) ?? errors.find(isNotWritable) ?? errors[0];
}
