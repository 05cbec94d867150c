import type { SetupServer } from 'msw/node';
import type { MemoryBackend } from './create-memory-backend.ts';
import { createHandler } from './create-memory-mock.ts';

/** What a server and a worker of MSW have in common. */
export type HandlerList = Pick<SetupServer, 'use' | 'resetHandlers' | 'listHandlers'>;

/**
 * Adds the handler of a mock to a server or worker, also after each `resetHandlers` of its owner. Returns a function
 * that ends this.
 */
export function joinHandlers(list: HandlerList, backend: MemoryBackend): () => void {
  let isJoined = true;
  // MSW cannot remove a single handler, so the handler of a mock that has left matches no request.
  const handler = createHandler({ ...backend, owns: (url) => isJoined && backend.owns(url) });
  const { resetHandlers } = list;
  list.use(handler);
  list.resetHandlers = (...next) => {
    resetHandlers.apply(list, next);
    if (isJoined) list.use(handler);
  };
  return () => {
    isJoined = false;
  };
}

/** Returns whether a value is a server or a worker of MSW. */
export function isHandlerList(value: unknown): value is HandlerList {
  return typeof Object(value).listHandlers === 'function';
}
