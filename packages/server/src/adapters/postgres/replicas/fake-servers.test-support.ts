import type { Query, Row } from '../postgres-query.ts';
import type { CheckedReplica } from './checked-server.ts';

/** A server whose state and answers are set by a test. */
export interface FakeServer extends CheckedReplica {
  isReachable: boolean;
  isReplica: boolean;
  inFlight: number;
  /** Whether `isUsable` returns true. */
  usable: boolean;
  /** Number of statements that it received. */
  received: number;
  /** Errors that `giveUp` received. */
  givenUp: unknown[];
  /** Runs a statement. At first, it returns one row with the name of the server. */
  answer: Query;
}

export function fakeServer(name: string): FakeServer {
  const server: FakeServer = {
    ...{ isReachable: true, isReplica: false, inFlight: 0, usable: true, received: 0, givenUp: [] },
    answer: async () => [{ name }],
    isUsable: () => server.usable,
    giveUp(error) {
      server.givenUp.push(error);
      server.usable = false;
    },
    async query(...statement) {
      server.received += 1;
      server.inFlight += 1;
      try {
        return await server.answer(...statement);
      } finally {
        server.inFlight -= 1;
      }
    },
  };
  return server;
}

/** Lets a server hold its statements until the test ends them. */
export function hold(server: FakeServer): { resolve(rows: Row[]): void; reject(error: unknown): void }[] {
  const held: PromiseWithResolvers<Row[]>[] = [];
  server.answer = () => {
    const statement = Promise.withResolvers<Row[]>();
    held.push(statement);
    return statement.promise;
  };
  return held;
}

/** An error of a driver. */
export function driverError(code: string): Error {
  return Object.assign(new Error(`Failed to query: the server reported ${code}. Try again.`), { code });
}
