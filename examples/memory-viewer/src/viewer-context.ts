import type { MemoryClient } from '@memory-read/client';
import { createContext, use } from 'react';

/** What every part of the viewer works with. */
export interface Viewer {
  client: MemoryClient;
  /** Polling interval of the list, in milliseconds. A memory in processing is polled more often at first. */
  pollInterval: number;
  /** Says it to those who do not see it. */
  announce(text: string): void;
}

export const ViewerContext = createContext<Viewer | null>(null);

export function useViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (viewer === null)
    throw new Error('Failed to use the viewer: the component is outside a ViewerContext. Render it within one.');
  return viewer;
}
