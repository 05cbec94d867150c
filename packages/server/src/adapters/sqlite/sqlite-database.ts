import { beginWriting, busyTimeoutMs, type Row, rollBack, type SqliteConnection } from './sqlite-connection.ts';

export type { Row };

/**
 * One connection for reads and one for writes, so that a read neither waits for a write nor sees what is not committed.
 */
export interface SqliteDatabase extends Pick<SqliteConnection, 'all' | 'get' | 'close'> {
  /**
   * Runs the body in one transaction on the connection for writes. Transactions run one after another, in the order of
   * the calls. If no other process writes, the first one begins at once.
   *
   * If the body is asynchronous, it holds the lock of the file until it ends. Reads do not wait for it.
   *
   * @throws {@link SqliteStoreError} with code `busy` if another process holds the lock for 5 seconds.
   */
  transaction<Result>(body: (writer: SqliteConnection) => Result | Promise<Result>): Promise<Result>;
  /** Runs the body on the connection for writes as soon as it has no open transaction. The body must be synchronous. */
  betweenTransactions<Result>(body: (writer: SqliteConnection) => Result): Promise<Result>;
}

const retryMs = 5;

/** The connection for writes must not wait for the lock of the file, because it would stop the process. */
export function createSqliteDatabase(reader: SqliteConnection, writer: SqliteConnection): SqliteDatabase {
  let callsInFlight = 0;
  let lastCall = Promise.resolve();
  /** The call whose transaction is open between two turns of the event loop. */
  let openCall: Promise<void> | undefined;
  let lastEnd = 0;

  return {
    all: reader.all,
    get: reader.get,
    async transaction(body) {
      const arrival = performance.now();
      const earlierCall = lastCall;
      let end = () => {};
      const call = new Promise<void>((resolve) => {
        end = resolve;
      });
      lastCall = call;
      callsInFlight += 1;
      try {
        if (callsInFlight > 1) await earlierCall;
        // The time during which this process holds the lock does not count.
        const deadline = Math.max(arrival, lastEnd) + busyTimeoutMs;
        while (!beginsBy(deadline)) await pause();
        try {
          const result = body(writer);
          if (result instanceof Promise) openCall = call;
          const value = result instanceof Promise ? await result : result;
          writer.exec('COMMIT');
          return value;
        } catch (error) {
          rollBack(writer);
          throw error;
        } finally {
          openCall = undefined;
          lastEnd = performance.now();
        }
      } finally {
        callsInFlight -= 1;
        end();
      }
    },
    async betweenTransactions(body) {
      while (openCall) await openCall;
      return body(writer);
    },
    close() {
      reader.close();
      writer.close();
    },
  };

  /** Returns whether a transaction has begun. */
  function beginsBy(deadline: number): boolean {
    try {
      writer.exec(beginWriting);
      return true;
    } catch (error) {
      const isBusy = Object(error).code === 'busy';
      if (!isBusy || performance.now() >= deadline) throw error;
      return false;
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, retryMs));
}
