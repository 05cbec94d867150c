import { HttpResponse, http, passthrough, type WebSocketHandlerConnection, ws } from 'msw';
import { type SetupServer, setupServer } from 'msw/node';
import type { MemoryBackend } from '../create-memory-backend.ts';
import { answerForMsw } from '../create-memory-mock.ts';
import { refuseUnmockable } from './real-globals.ts';
import type { UnhandledRequests } from './unhandled-requests.ts';

/** A mock while its tests run. */
export interface RunningMock {
  backend: MemoryBackend;
  unhandled: UnhandledRequests;
}

/** The latest first, as it is with the handlers of MSW. */
const running: RunningMock[] = [];
let server: SetupServer | undefined;
let stopRefusing = () => {};

/** Uses one server for all mocks, because each of several servers would refuse the requests of the others. */
export function startServing(mock: RunningMock): void {
  running.unshift(mock);
  if (running.length > 1) return;
  // Created once, because a handler of WebSockets keeps listening to other threads.
  server ??= setupServer(
    http.all(
      () => true,
      ({ request }) => answer(request),
    ),
    ws.link(/^wss?:/).addEventListener('connection', openOrRefuse),
  );
  server.listen();
  stopRefusing = refuseUnmockable(server);
}

export function stopServing(mock: RunningMock): void {
  running.splice(running.indexOf(mock), 1);
  if (running.length > 0) return;
  stopRefusing();
  server?.close();
}

/**
 * Refuses requests that no mock handles or allows.
 *
 * Options of `listen` are unsuitable. MSW 2 and 3 name them differently, let file-like paths pass, and respond with 500
 * if a callback throws.
 */
function answer(request: Request): Response | Promise<Response> {
  const owner = running.find(({ backend }) => backend.owns(request.url));
  if (owner) return answerForMsw(owner.backend, request);
  return refuses(request) ? HttpResponse.error() : passthrough();
}

function refuses(request: Request): boolean {
  if (running.some(({ unhandled }) => unhandled.isAllowed(request))) return false;
  running[0]?.unhandled.add(request);
  return true;
}

/** A refused WebSocket ends like one whose server cannot be reached. */
function openOrRefuse({ client, server }: WebSocketHandlerConnection): void {
  if (refuses(new Request(client.url))) {
    // The types of MSW 3 lack the socket.
    (client as unknown as { socket: WebSocket }).socket.dispatchEvent(new Event('error'));
    client.close(1006);
  } else server.connect();
}
