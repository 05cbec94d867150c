import type { MemoryClient } from '@memory-read/client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { MemoryList } from './list/memory-list.tsx';
import { useMemories } from './list/use-memories.ts';
import { MemoryPage } from './memory/memory-page.tsx';
import { formatRoute, useRoute } from './route.ts';
import { type Viewer, ViewerContext } from './viewer-context.ts';

export interface AppProps {
  client: MemoryClient;
  /** Polling interval of the list, in milliseconds. */
  pollInterval?: number | undefined;
}

/** The list of memories, and the one that the address names. */
export function App({ client, pollInterval = 10_000 }: AppProps) {
  const [announcement, announce] = useState('');
  const viewer = useMemo<Viewer>(() => ({ client, pollInterval, announce }), [client, pollInterval]);
  return (
    <ViewerContext value={viewer}>
      <Panes />
      <p role="status" className="unseen">
        {announcement}
      </p>
    </ViewerContext>
  );
}

function Panes() {
  const { memoryId, at } = useRoute();
  const memories = useMemories();
  const main = useFocusOnChange(memoryId);
  return (
    <div className="panes" data-open={memoryId === null ? undefined : ''}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the memory
      </button>
      <MemoryList {...memories} openId={memoryId} />
      <main ref={main} tabIndex={-1}>
        {memoryId === null ? <NoSelection /> : <MemoryPage key={memoryId} memoryId={memoryId} at={at} />}
      </main>
    </div>
  );
}

function NoSelection() {
  return (
    <div className="invitation">
      <p>Choose a memory to watch it, listen to it or read it.</p>
    </div>
  );
}

/** Moves the focus into an opened memory, and back to its entry in the list, for keyboards and screen readers. */
function useFocusOnChange(memoryId: string | null) {
  const main = useRef<HTMLElement>(null);
  const previous = useRef(memoryId);
  useEffect(() => {
    if (memoryId === previous.current) return;
    if (memoryId === null) focusCard(previous.current ?? '');
    else main.current?.focus({ preventScroll: true });
    if (memoryId !== null) scrollTo(0, 0);
    previous.current = memoryId;
  }, [memoryId]);
  return main;
}

function focusCard(memoryId: string): void {
  const card = Array.from(document.links).find(({ hash }) => hash === formatRoute(memoryId));
  card?.focus();
}
