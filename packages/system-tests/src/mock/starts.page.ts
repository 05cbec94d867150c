import { startMemoryMock } from '@memory-read/msw/browser';
import { HttpResponse, http } from 'msw';
import { setupWorker } from 'msw/browser';

/** What a request gets: the network, a status, or an error. */
async function ask(path: string): Promise<string> {
  const response = await fetch(path, { signal: AbortSignal.timeout(2_000) }).catch(String);
  if (typeof response === 'string') return response;
  const text = await response.text();
  return ['the network', 'own'].includes(text) ? text : `${response.status}`;
}

/** Returns the message and the cause with which a start rejects. */
async function failureOf(started: Promise<unknown>): Promise<string> {
  return started.then(
    () => 'started',
    ({ message, cause }) => (cause ? `${message} ${cause}` : message),
  );
}

/** Options of a worker that says nothing about other requests. */
const quiet = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass', quiet: true } as const;

// The tests use these globals.
Object.assign(globalThis, { startMemoryMock, setupWorker, http, HttpResponse, ask, failureOf, quiet });
