import { ConfigurationError } from '../errors/configuration-error.ts';

interface BrowserScope {
  readonly window?: unknown;
  readonly document?: unknown;
  readonly importScripts?: unknown;
  readonly WorkerGlobalScope?: unknown;
}

/** Refuses to hold a key where every visitor could read it. */
export function refuseBrowser(): void {
  if (!isBrowser(globalThis as BrowserScope)) return;
  throw new ConfigurationError(
    'Failed to create the client: because it runs in a browser, where the API key is open to every visitor. ' +
      "Talk to your own backend with auth: 'none', or set dangerouslyAllowBrowser if the key is the visitor's own.",
  );
}

/** Server runtimes have some of these globals too, but none of them both of a pair. */
function isBrowser(scope: BrowserScope): boolean {
  const isWindow = typeof scope.window === 'object' && typeof scope.document === 'object';
  const isWorker = typeof scope.importScripts === 'function' && typeof scope.WorkerGlobalScope === 'function';
  return isWindow || isWorker;
}
