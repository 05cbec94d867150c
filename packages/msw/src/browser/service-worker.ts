import type { SetupWorker } from 'msw/browser';

/**
 * Returns whether a worker of MSW handles the requests of this page, or `undefined` if the page cannot have a service
 * worker.
 *
 * No version of MSW exposes this. Its service worker sends a message about each request, but only to a page that has
 * started a worker. The request is for the script of the service worker: it exists, and MSW does not warn about scripts.
 */
export async function isWorkerRunning(): Promise<boolean | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  const { controller } = navigator.serviceWorker;
  if (!controller || !(await isAsked(controller))) return false;
  // A worker of MSW 2 does not wait when it is stopped, and a request can overtake the message that it has stopped.
  const answered = nextMessage(({ type }) => type === 'INTEGRITY_CHECK_RESPONSE');
  controller.postMessage('INTEGRITY_CHECK_REQUEST');
  await answered;
  return isAsked(controller);
}

/** Returns whether the service worker asks this page what it answers to a request. */
async function isAsked({ scriptURL }: ServiceWorker): Promise<boolean> {
  const ended = new AbortController();
  const loaded = fetch(scriptURL, { signal: ended.signal }).then(
    () => false,
    () => false,
  );
  const isAsked = await Promise.race([nextMessage(({ type }) => type === 'REQUEST').then(() => true), loaded]);
  ended.abort();
  return isAsked;
}

/**
 * Registers the service worker, if the page can have one.
 *
 * MSW would do so too. But if it fails, MSW 3 cannot start any more in this page, and MSW 2 doubles each WebSocket. It
 * also reloads a page without a controller, so this waits until the service worker has claimed the page.
 */
export async function registerServiceWorker(url: string): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { installing } = await navigator.serviceWorker.register(url);
  await new Promise<void>((resolve) => {
    if (!installing) return resolve();
    installing.onstatechange = () => ['activated', 'redundant'].includes(installing.state) && resolve();
  });
}

/**
 * Stops a worker, and waits until the service worker no longer asks this page about requests.
 *
 * MSW 2 does not wait, so a request right after it would never end. MSW 3 waits for a message that the service worker of
 * MSW 2 does not send.
 */
export async function stopWorker(worker: SetupWorker): Promise<void> {
  const controller = navigator.serviceWorker?.controller;
  const isLeft = ({ type, payload }: WorkerMessage) =>
    type === 'CLIENT_CLOSED' || (type === 'INTEGRITY_CHECK_RESPONSE' && payload?.packageVersion?.startsWith('2.'));
  const left = controller && nextMessage(isLeft);
  const stopping = worker.stop();
  // Each service worker ignores the messages of the other version, and answers in order.
  controller?.postMessage('MOCK_DEACTIVATE');
  if (!stopping) controller?.postMessage('CLIENT_CLOSE');
  controller?.postMessage('INTEGRITY_CHECK_REQUEST');
  await (left ?? stopping);
}

/** A message of MSW's service worker. */
interface WorkerMessage {
  type?: string;
  payload?: { packageVersion?: string };
}

function nextMessage(isWanted: (message: WorkerMessage) => boolean | undefined): Promise<void> {
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('message', function listen({ data }) {
      if (!isWanted(Object(data))) return;
      navigator.serviceWorker.removeEventListener('message', listen);
      resolve();
    });
  });
}
