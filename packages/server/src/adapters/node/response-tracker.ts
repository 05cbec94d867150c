import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses in flight on each connection. A connection with pipelined requests has several. */
export interface ResponseTracker {
  /** Must be called first for every connection. */
  watch(socket: Socket): void;
  add(socket: Socket, response: ServerResponse, onEnd: () => void): void;
  /** Returns whether an unfinished response has sent bytes. */
  hasBegun(socket: Socket): boolean;
  /**
   * Refuses an invalid request: after the responses in flight if all their requests are complete, otherwise at once.
   */
  refuse(socket: Socket, refusal: () => void): void;
  /** Closes the connections without a response in flight, including those with an incomplete request. */
  closeUnused(): void;
  /** Resets the connections with a response in flight, so that its body does not look complete. */
  resetUsed(): void;
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
    resetUsed() {
      for (const [socket, responses] of inFlight) if (responses.size > 0) socket.resetAndDestroy();
    },
  };
}
