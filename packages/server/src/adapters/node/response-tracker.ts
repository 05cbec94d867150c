import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Knows which responses of a connection are under way: pipelined requests have several. */
export interface ResponseTracker {
  /** Has to be told of every connection before anything else. */
  watch(socket: Socket): void;
  add(socket: Socket, response: ServerResponse, onEnd: () => void): void;
  /** Whether bytes of a response have been sent that is not over. */
  hasBegun(socket: Socket): boolean;
  /** Refuses what is wrong on the connection: at once, or, where all requests under way came whole, behind their answers. */
  refuse(socket: Socket, refusal: () => void): void;
  /** Closes the connections that no response is under way on, those with a part of a request included. */
  closeUnused(): void;
}

export function createResponseTracker(): ResponseTracker {
  const underWay = new Map<Socket, Set<ServerResponse>>();
  const refusals = new WeakMap<Socket, () => void>();
  return {
    watch(socket) {
      underWay.set(socket, new Set());
      socket.once('close', () => underWay.delete(socket));
    },
    add(socket, response, onEnd) {
      const responses = underWay.get(socket);
      responses?.add(response);
      response.once('close', () => {
        responses?.delete(response);
        if (responses?.size === 0) refusals.get(socket)?.();
        onEnd();
      });
    },
    hasBegun(socket) {
      return [...(underWay.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    },
    refuse(socket, refusal) {
      const responses = [...(underWay.get(socket) ?? [])];
      if (responses.length > 0 && responses.every(({ req }) => req.complete)) refusals.set(socket, refusal);
      else refusal();
    },
    closeUnused() {
      for (const [socket, responses] of underWay) if (responses.size === 0) socket.destroySoon();
    },
  };
}
