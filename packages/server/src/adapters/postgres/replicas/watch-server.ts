import type { PostgresConnection, PostgresPool } from '../postgres-pool.ts';
import type { Query, Row } from '../postgres-query.ts';
import { type ConnectionLoss, watchForLoss } from '../watch-for-loss.ts';
import type { CheckedServer } from './checked-server.ts';

/** How one server is checked. */
interface ServerChecks<Result> {
  pool: PostgresPool;
  /** Pause between two checks, in milliseconds. */
  interval: number;
  /** The first check begins after it. */
  after?: Promise<void> | undefined;
  /** Returns the check of one connection. */
  checkOn(query: Query): () => Promise<Result>;
  /** Is called when the connection of the checks is lost between two of them. Default: the next check decides. */
  lose?: ((error: unknown) => void) | undefined;
  /** Is called when a check begins. Returns what to do with its result. */
  begin(): { succeed(result: Result): void; fail(error: unknown): void };
}

/** A server whose checks can be ended. */
export interface WatchedServer extends CheckedServer {
  /** Resolves after the first check, or when the checks are closed. */
  readonly firstCheck: Promise<void>;
  /** Ends the checks, and gives their connection back. */
  close(): Promise<void>;
}

interface HeldConnection<Result> {
  connection: PostgresConnection;
  loss: ConnectionLoss;
  check: () => Promise<Result>;
}

/** Maximum time for one check, in milliseconds. It includes the wait for a connection. */
const checkTimeout = 1_000;

/** Checks one server until it is closed, on a connection of its own, because a busy pool is not a dead server. */
export function watchServer<Result>(options: ServerChecks<Result>): WatchedServer {
  const { pool, interval, after, checkOn, lose, begin } = options;
  /** Reject the statements in flight. */
  const waiting = new Set<(error: unknown) => void>();
  let isClosed = false;
  let endPause: () => void = () => {};
  let opening: Promise<HeldConnection<Result>> | undefined;
  let held: HeldConnection<Result> | undefined;

  const query: Query = async (sql, values) => {
    let abandon: (error: unknown) => void = () => {};
    const failedCheck = new Promise<never>((_resolve, reject) => {
      abandon = reject;
    });
    waiting.add(abandon);
    try {
      // The race also handles the error of an abandoned statement.
      return await Promise.race([run(), failedCheck]);
    } finally {
      waiting.delete(abandon);
    }

    /** An abandoned statement may never end, so it must not keep a connection of the pool. */
    async function run(): Promise<Row[]> {
      const connection = await pool.connect();
      const loss = watchForLoss(connection);
      let isUsable = true;
      try {
        if (!waiting.has(abandon)) return [];
        isUsable = false;
        const { rows } = await Promise.race([connection.query(sql, values), failedCheck]);
        isUsable = true;
        return rows;
      } finally {
        if (isUsable) loss.stopWatching();
        connection.release(!isUsable);
      }
    }
  };

  const firstCheck = Promise.resolve(after).then(checkOnce);
  const ended = firstCheck.then(continueChecks);
  return {
    query,
    get inFlight() {
      return waiting.size;
    },
    firstCheck,
    close() {
      isClosed = true;
      endPause();
      return ended;
    },
  };

  async function continueChecks(): Promise<void> {
    while (!isClosed) {
      await pause();
      await checkOnce();
    }
    giveBack();
  }

  async function checkOnce(): Promise<void> {
    if (isClosed) return;
    const { succeed, fail } = begin();
    const deadline = startDeadline();
    try {
      const result = await Promise.race([check(deadline), deadline.passed]);
      if (!isClosed) succeed(result);
    } catch (error) {
      drop();
      abandonAll(error);
      if (isClosed) return;
      dropIdle();
      fail(error);
    } finally {
      deadline.end();
    }
  }

  function abandonAll(error: unknown): void {
    for (const abandon of waiting) abandon(error);
  }

  async function check(deadline: Deadline): Promise<Result> {
    if (held?.loss.reason !== undefined) drop();
    const { check } = held ?? (await open());
    // After the deadline, the next check uses the connection.
    return deadline.hasEnded() ? deadline.passed : check();
  }

  /** A pool can take longer than a check. The next check waits for the same connection, so that requests do not pile up. */
  function open(): Promise<HeldConnection<Result>> {
    opening ??= connect().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function connect(): Promise<HeldConnection<Result>> {
    const connection = await pool.connect();
    const query: Query = async (sql, values) => (await connection.query(sql, values)).rows;
    const onLoss = (error: unknown) => {
      if (lose === undefined || held !== opened) return;
      lose(error);
      abandonAll(error);
    };
    const opened = { connection, loss: watchForLoss(connection, onLoss), check: checkOn(query) };
    held = opened;
    if (isClosed) giveBack();
    return opened;
  }

  /** Its listener stays, because a connection that is being destroyed can still fail. */
  function drop(): void {
    held?.connection.release(true);
    held = undefined;
  }

  /** After a fault of the network, they are dead too, and each one would cost a caller its timeout. */
  function dropIdle(): void {
    for (let count = pool.idleCount ?? 0; count > 0; count -= 1) {
      pool.connect().then(
        (connection) => connection.release(true),
        () => {},
      );
    }
  }

  function giveBack(): void {
    if (held?.loss.reason !== undefined) drop();
    held?.loss.stopWatching();
    held?.connection.release();
    held = undefined;
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = startTimer(resolve, interval);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Only Node and compatible runtimes have `setImmediate`. */
interface TurnGlobals {
  setImmediate?: (run: () => void) => unknown;
  setTimeout: (run: () => void) => unknown;
}

interface Deadline {
  /** Rejects when the time has passed. */
  passed: Promise<never>;
  hasEnded(): boolean;
  end(): void;
}

function startDeadline(): Deadline {
  let hasEnded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    timer = startTimer(() => {
      // If the process was suspended, a response that has arrived meanwhile is read first.
      const { setTimeout, setImmediate = setTimeout }: TurnGlobals = globalThis;
      setImmediate(() => reject(timeoutError()));
    }, checkTimeout);
  });
  return {
    passed,
    hasEnded: () => hasEnded,
    end() {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}

/** Starts a timer that does not keep the process alive. */
function startTimer(run: () => void, milliseconds: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(run, milliseconds);
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.();
  return timer;
}

/** Has the code with which a system reports a server that does not respond. */
function timeoutError(): Error {
  const message = `Failed to check PostgreSQL: the server did not respond within ${checkTimeout} ms. Check it, and the network.`;
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
