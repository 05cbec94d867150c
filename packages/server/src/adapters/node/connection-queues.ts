import type { Server, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { NodeResponse } from './node-response.ts';
import { resetConnection } from './reset-connection.ts';
import type { ServeOptions } from './serve-options.ts';

/** The options of `serve` that limit connections. */
export type ConnectionLimits = Pick<ServeOptions, 'sendTimeout' | 'maxConnections' | 'maxPipelined'>;

/** The open connections, each with its unanswered requests in order. */
export interface ConnectionQueues {
  /** Accepts a connection, which may take the place of an idle one. Must be called first for every connection. */
  open(socket: Socket): void;
  /** Calls `answer` when the responses before this one have been handed to the operating system. */
  add(response: NodeResponse, answer: (response: NodeResponse) => void): void;
  /** Returns whether an unfinished response has sent bytes. */
  hasBegun(socket: Socket): boolean;
  /**
   * Refuses an invalid request: after the responses in flight if all their requests are complete, otherwise at once.
   * `refusal` ends the connection. A caller that does not close it either has `sendTimeout` to do so.
   */
  refuse(socket: Socket, refusal: () => void): void;
  /** Takes over a connection from Node, which removes its listeners from that of a CONNECT. */
  takeOver(socket: Socket): void;
  /**
   * Gives connections on which bytes wait `sendTimeout` to send some of them, until the server has closed. A timer for each
   * request would slow down all of them.
   */
  watchSending(server: Server): void;
  /** Closes a connection on which nothing happens, unless a response or a request is still to come. */
  onTimeout(socket: Socket): void;
  /**
   * Closes the connections without a response in flight, including those with an incomplete request, and the others
   * after their responses.
   */
  closeUnused(): void;
  /** Resets all connections, so that no body looks complete. */
  resetAll(): void;
}

interface Connection {
  readonly socket: Socket;
  /** The requests that are not answered. The first one is being answered. */
  readonly queue: { readonly response: NodeResponse; readonly answer: (response: NodeResponse) => void }[];
  hasAnswered: boolean;
  /** A turn of the event loop, and the number of requests that arrived from it on. */
  turn: number;
  arrivals: number;
  refusal: (() => void) | undefined;
}

export function createConnectionQueues(limits: ConnectionLimits): ConnectionQueues {
  const { sendTimeout = 60_000, maxConnections = 1_000, maxPipelined = 16 } = limits;
  const connections = new Map<Socket, Connection>();
  /** Connections without a response in flight. The first one has been idle for longest. */
  const idle = new Set<Connection>();
  let isClosing = false;
  const onTimeout = (socket: Socket) => {
    // While bytes wait, Node emits this only if no byte has left since the last check.
    if (socket.writableLength > 0) return resetConnection(socket);
    // A first request that does not arrive has the time of `requestTimeout`.
    const connection = connections.get(socket);
    if (connection?.hasAnswered && connection.queue.length === 0) socket.destroy();
  };
  return {
    open(socket) {
      if (connections.size >= maxConnections && !replaceIdle()) return resetConnection(socket);
      const connection: Connection = {
        socket,
        queue: [],
        hasAnswered: false,
        refusal: undefined,
        turn: 0,
        arrivals: 0,
      };
      connections.set(socket, connection);
      idle.add(connection);
      socket.once('close', () => forget(connection));
    },
    add(response, answer) {
      const { socket } = response.req;
      const connection = connections.get(socket);
      // Node still passes on what it had parsed before the connection was reset.
      if (connection === undefined) return;
      const { queue } = connection;
      // The turn is read once in `maxPipelined` requests, because reading it takes time.
      connection.arrivals += 1;
      if (connection.arrivals > maxPipelined && turnOfLoop() !== connection.turn) connection.arrivals = 1;
      if (connection.arrivals === 1) connection.turn = turnOfLoop();
      // Node answers a request with a body before it parses the next one, so the queue may be empty each time.
      if (Math.max(queue.length + 1, connection.arrivals) > maxPipelined) {
        forget(connection);
        return resetConnection(socket);
      }
      // Node resumes reading at the end of this request.
      if (socket.writableLength > 0) setImmediate(pauseWhileSending, socket);
      queue.push({ response, answer });
      if (queue.length > 1) return;
      idle.delete(connection);
      answerFirst(connection);
    },
    hasBegun: (socket) => connections.get(socket)?.queue[0]?.response.headersSent ?? false,
    refuse(socket, refusal) {
      const connection = connections.get(socket);
      const isInTurn = connection?.queue.length && connection.queue.every(({ response }) => response.req.complete);
      const refuse = () => {
        refusal();
        closeWithin(sendTimeout, socket);
      };
      if (isInTurn) connection.refusal = refuse;
      else refuse();
    },
    takeOver(socket) {
      socket.on('timeout', () => onTimeout(socket));
      socket.on('drain', () => connections.get(socket)?.queue[0]?.response.emit('drain'));
      socket.on('error', () => {});
      // Data before the response to a CONNECT restarts the timeout, so a caller that reads nothing could stay.
      socket.on('data', () => connections.get(socket)?.queue.length && resetConnection(socket));
    },
    watchSending(server) {
      const watching = setInterval(limitSending, Math.min(sendTimeout, 1_000)).unref();
      server.once('close', () => clearInterval(watching));
    },
    onTimeout,
    closeUnused() {
      isClosing = true;
      for (const { socket } of idle) socket.destroySoon();
      for (const connection of connections.values()) announceEnd(connection);
    },
    resetAll() {
      for (const socket of connections.keys()) resetConnection(socket);
    },
  };

  function limitSending(): void {
    for (const { socket } of connections.values()) {
      if (socket.writableLength === 0) continue;
      // Incoming data restarts the timeout, so reading pauses while bytes wait.
      if (socket.timeout) socket.pause();
      else socket.setTimeout(sendTimeout);
    }
  }

  function replaceIdle(): boolean {
    const [longest] = idle;
    if (longest === undefined) return false;
    forget(longest);
    longest.socket.destroy();
    return true;
  }

  function forget(connection: Connection): void {
    connections.delete(connection.socket);
    idle.delete(connection);
  }

  function answerFirst(connection: Connection): void {
    const [first] = connection.queue;
    if (first === undefined) return;
    if (isClosing) announceEnd(connection);
    first.answer(first.response);
    first.response.once('close', answerNext);
  }

  function answerNext(this: NodeResponse): void {
    const { socket } = this.req;
    const connection = connections.get(socket);
    if (socket.destroyed || connection === undefined) return;
    const { queue } = connection;
    queue.shift();
    connection.hasAnswered = true;
    if (socket.isPaused()) socket.resume();
    if (queue.length > 0) {
      answerFirst(connection);
      return;
    }
    idle.add(connection);
    connection.refusal?.();
    // A kept-alive connection would make `close` wait for a next request.
    if (isClosing) socket.destroySoon();
  }
}

/** Adds `Connection: close` to the last response, unless it has begun. The caller then sends no further request. */
function announceEnd({ queue: [last, ...further] }: Connection): void {
  if (last !== undefined && further.length === 0) last.response.shouldKeepAlive = false;
}

/** Returns the number of the current turn of the event loop. */
function turnOfLoop(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}

function closeWithin(milliseconds: number, socket: Socket): void {
  const closing = setTimeout(() => socket.destroy(), milliseconds).unref();
  socket.once('close', () => clearTimeout(closing));
}

/** Pauses reading while bytes wait, because incoming data restarts the timeout. */
function pauseWhileSending(socket: Socket): void {
  if (socket.writableLength > 0) socket.pause();
}
