import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses of each connection that are in flight: pipelined requests have several. */
export interface ResponseTracker {
  /** Has to be called for every connection before anything else. */
  watch(socket: Socket): void;
  add(socket: Socket, response: ServerResponse, onEnd: () => void): void;
  /** Whether bytes of a response have been sent that is not over. */
  hasBegun(socket: Socket): boolean;
  /** Refuses what is wrong on the connection: at once, or behind the answers in flight if all their requests came whole. */
  refuse(socket: Socket, refusal: () => void): void;
  /** Closes the connections without a response in flight, those with a part of a request included. */
  closeUnused(): void;
}

export function createResponseTracker(): ResponseTracker {
  const inFlight = new Map<Socket, Set<ServerResponse>>();
  const refusals = new WeakMap<Socket, () => void>();
  return {
    watch(socket) {
      inFlight.set(socket, new Set());
      socket.once('close', () => inFlight.delete(socket));
    },
    add(socket, response, onEnd) {
      const responses = inFlight.get(socket);
      responses?.add(response);
      response.once('close', () => {
        responses?.delete(response);
        if (responses?.size === 0) refusals.get(socket)?.();
        onEnd();
      });
    },
    hasBegun(socket) {
      return [...(inFlight.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    },
    refuse(socket, refusal) {
      const responses = [...(inFlight.get(socket) ?? [])];
      if (responses.length > 0 && responses.every(({ req }) => req.complete)) refusals.set(socket, refusal);
      else refusal();
    },
    closeUnused() {
      for (const [socket, responses] of inFlight) if (responses.size === 0) socket.destroySoon();
    },
  };
}
