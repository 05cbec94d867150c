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
 * Collects an error for requests while a global is replaced that MSW 3 looks up at each call, and refuses their
 * connections. With a fake `nextTick`, MSW connects them to the real server, because it does not know their request.
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
  if (guards === 1) stopGuarding = guardConnect();
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

function guardConnect(): () => void {
  const { connect } = Socket.prototype;
  let isEnded = false;
  function guarded(this: Socket, ...args: Parameters<typeof connect>): Socket {
    const error = isEnded ? undefined : replacedGlobal();
    // An error event would need the real process.nextTick.
    if (error) throw error;
    return connect.apply(this, args);
  }
  Socket.prototype.connect = guarded as typeof connect;
  return () => {
    isEnded = true;
    // A server that the test owns may have been started later, or closed already.
    if (Socket.prototype.connect === guarded) Socket.prototype.connect = connect;
  };
}

function isReplaced({ real, current }: (typeof lookedUp)[number]): boolean {
  const found = current();
  // The libraries of fake timers mark their functions with their clock.
  return !real.includes(found) || Object.hasOwn(Object(found), 'clock');
}

function advice(): string {
  const { JEST_WORKER_ID, VITEST } = process.env;
  if (JEST_WORKER_ID !== undefined) {
    return "Pass doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] to jest.useFakeTimers, or to fakeTimers of the configuration, without legacyFakeTimers.";
  }
  if (VITEST !== undefined) return "Pass toFake: ['setTimeout', 'clearTimeout', 'Date'] to vi.useFakeTimers.";
  return 'Leave nextTick, queueMicrotask and setImmediate out of what the fake timers replace.';
}
