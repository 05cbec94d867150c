import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { runInThisContext } from 'node:vm';
import type { SetupServer } from 'msw/node';

// Jest gives a test globals of its own, which it can replace before this module loads.
const ofNode = runInThisContext('({ nextTick: process.nextTick, queueMicrotask, setImmediate })');

/** The functions that MSW 3 looks up at each call. jsdom has a queueMicrotask of its own, and no setImmediate. */
const lookedUp = [
  { name: 'process.nextTick', real: [ofNode.nextTick], current: () => process.nextTick },
  {
    name: 'queueMicrotask',
    real: [ofNode.queueMicrotask, globalThis.queueMicrotask],
    current: () => globalThis.queueMicrotask,
  },
  {
    name: 'setImmediate',
    real: [ofNode.setImmediate, globalThis.setImmediate],
    current: () => globalThis.setImmediate,
  },
];

let errors: Error[] = [];
let guards = 0;
let stopGuarding = () => {};

/** Returns the errors since the last call. */
export function takeReplacedGlobals(): Error[] {
  const taken = errors;
  errors = [];
  return taken;
}

/**
 * Refuses requests, and collects an error, while a global is replaced that MSW 3 looks up at each call. With a fake
 * `nextTick`, MSW connects to the real server, because it does not know the request of a connection.
 *
 * Returns a function that ends this.
 */
export function refuseUnmockable(server: SetupServer): () => void {
  // MSW has replaced functions of node:http, also for those who imported them by name.
  syncBuiltinESMExports();
  // MSW 2 mocks requests above the socket.
  if (!('readyState' in server)) return () => {};
  const collect = () => void replacedGlobal();
  server.events.on('request:start', collect);
  guards += 1;
  if (guards === 1) stopGuarding = guardNetwork();
  return () => {
    server.events.removeListener('request:start', collect);
    guards -= 1;
    if (guards === 0) stopGuarding();
  };
}

/** Returns the error, which is collected once for a test. */
function replacedGlobal(): Error | undefined {
  const replaced = lookedUp.find(isReplaced);
  if (!replaced) return undefined;
  const error = new Error(
    `Failed to mock a request: ${replaced.name} is replaced, and MSW needs the real one. ${advice()}`,
  );
  errors = [error];
  return error;
}

/** Refuses a `fetch` at once, because a fake queueMicrotask would stop the pool behind it for all later tests. */
function guardNetwork(): () => void {
  const ends = [
    guard(Socket.prototype, 'connect', (error) => {
      // An error event would need the real process.nextTick.
      throw error;
    }),
    guard(globalThis, 'fetch', (error) => Promise.reject(error)),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function guard<Name extends string>(
  owner: Record<Name, (...args: never[]) => unknown>,
  name: Name,
  refuse: (error: Error) => unknown,
): () => void {
  const original = owner[name];
  let isEnded = false;
  function guarded(this: unknown, ...args: never[]): unknown {
    const error = isEnded ? undefined : replacedGlobal();
    return error ? refuse(error) : Reflect.apply(original, this, args);
  }
  owner[name] = guarded;
  return () => {
    isEnded = true;
    // A server that the test owns may have been started later, or closed already.
    if (owner[name] === guarded) owner[name] = original;
  };
}

function isReplaced({ real, current }: (typeof lookedUp)[number]): boolean {
  const found = current();
  return isFake(found) || !(real.includes(found) || real.includes(unpatched(found)) || real.some(isFake));
}

/** The libraries of fake timers mark their functions with their clock, those of mock functions with their mock. */
function isFake(found: unknown): boolean {
  return ['clock', 'mock', 'isSinonProxy'].some((mark) => mark in Object(found));
}

/** Returns the function that zone.js of Angular has patched. Its patch calls the real one. */
function unpatched(found: unknown): unknown {
  return Object(found).__zone_symbol__OriginalDelegate;
}

function advice(): string {
  const { JEST_WORKER_ID, VITEST } = process.env;
  if (JEST_WORKER_ID !== undefined) {
    return "Pass doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] to jest.useFakeTimers, or to fakeTimers of the configuration, without legacyFakeTimers.";
  }
  if (VITEST !== undefined) return "Pass toFake: ['setTimeout', 'clearTimeout', 'Date'] to vi.useFakeTimers.";
  return 'Leave nextTick, queueMicrotask and setImmediate out of what the fake timers replace.';
}
