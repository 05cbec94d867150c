import { useSyncExternalStore } from 'react';

/** What the address shows: the list alone, or a memory, perhaps from a moment on. */
export interface Route {
  memoryId: string | null;
  /** Milliseconds from the start of the memory. */
  at: number | null;
}

/** The route of the address at hand, renewed when it changes. It lies in the hash, so any file server serves the page. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return parseRoute(hash);
}

export function parseRoute(hash: string): Route {
  const [, encodedId, at] = /^#\/([^/]+)(?:\/(\d+))?$/.exec(hash) ?? [];
  return { memoryId: decode(encodedId), at: at === undefined ? null : Number(at) };
}

export function formatRoute(memoryId: string, at?: number): string {
  return `#/${encodeURIComponent(memoryId)}${at === undefined ? '' : `/${at}`}`;
}

/** Replaces the address by that of the memory. A reload then continues where it was, and the moment can be opened again. */
export function leaveMoment(memoryId: string): void {
  history.replaceState(null, '', formatRoute(memoryId));
  dispatchEvent(new Event('hashchange'));
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

function decode(encoded: string | undefined): string | null {
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
