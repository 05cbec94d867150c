import { createSecureContext } from 'node:tls';
import { type RunningServer, serve } from '@memory-read/server/node';
import { createMockApi } from '../create-mock-api.ts';
import { controlsOf } from '../fetch/fetch-memory-mock.ts';
import { optionError, resolveState } from '../mock-options.ts';
import { nodeServerOf } from './create-node-server.ts';
import { createResponder, emptyList, type Responder } from './create-responder.ts';
import type { MockSpace, MockSpaceOptions } from './mock-server.ts';
import { createSpaceConnections } from './space-connections.ts';
import { createWireLog } from './wire-log/create-wire-log.ts';

/** What a space gets from its server. */
export interface SpaceContext {
  id: string;
  /** Address on which the ports listen. */
  hostname: string;
  /** Host in the URLs. */
  host: string;
  mediaUrl: string;
  /** Starts the API on the port of the space. */
  listen(start: (port: number) => Promise<RunningServer>): Promise<RunningServer>;
  /** Replaces the keys of all spaces. */
  redactKeys(text: string): string;
  onClose(): void;
}

/** A space, and what only its server calls. */
export interface OpenSpace {
  space: MockSpace;
  begin: Responder['begin'];
  redactKeys(text: string): string;
  /** Resolves with the next entry of the log. Rejects at the abort, a reset or the end of the space. */
  nextEntry(signal: AbortSignal): Promise<unknown>;
}

export async function openMockSpace(options: MockSpaceOptions, context: SpaceContext): Promise<OpenSpace> {
  const { basePath = '', tls, apiKey } = options;
  const { id, hostname, host, mediaUrl } = context;
  assertTls(tls);
  const state = resolveState(options);
  // Ports come back, so the keys of a space must not.
  const identity = `${state.seed} ${crypto.randomUUID()}`;
  const mock = createMockApi({ ...state, isServer: true, basePath, mediaUrl, identity, apiKey });
  const { accounts, clock, faults } = mock;
  const { hasKey, redactKeys: redactOwnKeys } = accounts;
  const log = createWireLog({ clock, hasKey, redactOwnKeys, redactKeys: context.redactKeys });
  const connections = createSpaceConnections();
  const places = { origin: '', elsewhere: '' };
  const responder = createResponder({ mock, basePath, log, connections, places: () => places });
  const start = (to: 'api' | 'elsewhere') => (port: number) =>
    serve({
      // It is never called: `begin` returns what responds.
      fetch: () => emptyList,
      hostname,
      port,
      connection: {
        createServer: nodeServerOf({
          tls,
          open(socket, read) {
            connections.of(socket);
            if (to === 'api') responder.open(socket, read);
            else read();
          },
        }),
        begin: (outgoing) => responder.begin(outgoing, to),
      },
    });
  const elsewhere = await start('elsewhere')(0);
  const api = await context.listen(start('api')).catch(async (error: unknown) => {
    await elsewhere.close();
    throw error;
  });
  const origin = `${tls === undefined ? 'http' : 'https'}://${host}`;
  places.origin = `${origin}:${api.port}${basePath}`;
  places.elsewhere = `${origin}:${elsewhere.port}`;
  let closed: Promise<void> | undefined;
  const space: MockSpace = {
    ...controlsOf(mock),
    id,
    baseUrl: places.origin,
    mediaUrl,
    elsewhereUrl: places.elsewhere,
    faults: {
      next: faults.next,
      always: faults.always,
      all: faults.all,
      cancel: faults.cancel,
      clear: faults.clear,
    },
    requests: log.requests,
    nextRequest: log.nextRequest,
    reset() {
      log.reset();
      mock.reset();
      connections.resetBusy();
    },
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => space.close(),
  };
  const nextEntry = (signal: AbortSignal) => log.nextRequest({}, signal);
  return { space, begin: responder.begin, redactKeys: accounts.redactKeys, nextEntry };

  async function close(): Promise<void> {
    context.onClose();
    connections.endAll();
    await Promise.all([api.close(), elsewhere.close()]);
    log.endWaiting('closed');
  }
}

function assertTls(tls: MockSpaceOptions['tls']): void {
  if (tls === undefined) return;
  try {
    createSecureContext({ cert: String(tls.cert), key: String(tls.key) });
  } catch {
    // The error of Node can contain what was passed.
    throw optionError('tls has no certificate with its key', 'Pass both as PEM texts');
  }
}
