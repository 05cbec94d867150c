import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { RequestEndEvent } from './request-observer.ts';
import { type RunningServer, serve } from './serve.ts';
import type { ServeOptions } from './serve-options.ts';

/** A server of a test, which ends with it. */
export interface StartedServer extends RunningServer {
  /** Requests that have ended. */
  events: RequestEndEvent[];
  /** What was reported to `onError`. */
  errors: unknown[];
}

/** Starts a server on a free port. */
export async function startServer(
  fetch: ServeOptions['fetch'],
  options: Partial<ServeOptions> = {},
): Promise<StartedServer> {
  const events: RequestEndEvent[] = [];
  const errors: unknown[] = [];
  const observers = {
    onEnd: (event: RequestEndEvent) => events.push(event),
    onError: (error: unknown) => errors.push(error),
  };
  const server = await serve({ fetch, port: 0, closeTimeout: 100, ...observers, ...options });
  onTestFinished(() => server.close());
  return { ...server, events, errors };
}

/**
 * Sends bytes unchanged. Returns all that the server sends, and `closed` or the code with which the connection ended.
 * `onAnswer` gets all that was received so far.
 */
export function exchangeToEnd(
  port: number,
  bytes: string,
  onAnswer?: (socket: Socket, answer: string) => void,
): Promise<{ answer: string; end: string | undefined }> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += chunk;
      onAnswer?.(socket, answer);
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve({ answer, end: code }));
    socket.on('close', () => resolve({ answer, end: 'closed' }));
  });
}

/** Sends bytes unchanged, and reads until the server closes the connection. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const { answer, end } = await exchangeToEnd(port, bytes);
  if (end !== 'closed') throw new Error(`The connection ended with ${end}.`);
  return answer;
}
