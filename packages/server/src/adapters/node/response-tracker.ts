import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Knows which responses of a connection are under way: pipelined requests have several. */
export interface ResponseTracker {
  add(socket: Socket, response: ServerResponse, onEnd: () => void): void;
  /** Whether bytes of a response have been sent that is not over. */
  hasBegun(socket: Socket): boolean;
}

export function createResponseTracker(): ResponseTracker {
  const underWay = new WeakMap<Socket, Set<ServerResponse>>();
  return {
    add(socket, response, onEnd) {
      const responses = underWay.get(socket) ?? new Set();
      underWay.set(socket, responses.add(response));
      response.once('close', () => {
        responses.delete(response);
        onEnd();
      });
    },
    hasBegun(socket) {
      return [...(underWay.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    },
  };
}
