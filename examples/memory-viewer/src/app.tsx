import type { ListedMemory, MemoryClient } from '@memory-read/client';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
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
  const newestId = useNewest(memories.memories);
  const isWide = useSyncExternalStore(onWidth, () => wide()?.matches ?? false);
  const openId = memoryId ?? (isWide ? newestId : null);
  const main = useFocusOnChange(memoryId);
  return (
    <div className="panes" data-open={memoryId === null ? undefined : ''}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the memory
      </button>
      <MemoryList {...memories} openId={openId} isCovered={memoryId !== null && !isWide} />
      <main ref={main} tabIndex={-1}>
        {openId !== null && <MemoryPage key={openId} memoryId={openId} at={at} />}
      </main>
    </div>
  );
}

/** Width at which the list and a memory are side by side, as in `styles/page.css`. */
const wide = () => globalThis.matchMedia?.('(min-width: 60rem)');

function onWidth(onChange: () => void): () => void {
  const query = wide();
  query?.addEventListener('change', onChange);
  return () => query?.removeEventListener('change', onChange);
}

/** The newest processed memory when the page was opened: no later one takes its place while it is read. */
function useNewest(memories: readonly ListedMemory[] | null): string | null {
  const [newestId, setNewestId] = useState<string | null>(null);
  const newest = memories?.find(({ is_processing }) => !is_processing);
  if (newestId === null && newest !== undefined) setNewestId(newest.id);
  return newestId;
}

/** Moves the focus into an opened memory, and back to its link in the list, for keyboards and screen readers. */
function useFocusOnChange(memoryId: string | null) {
  const main = useRef<HTMLElement>(null);
  const previous = useRef(memoryId);
  useEffect(() => {
    if (memoryId === previous.current) return;
    if (memoryId === null) focusLink(previous.current ?? '');
    else main.current?.focus({ preventScroll: true });
    if (memoryId !== null) scrollTo(0, 0);
    previous.current = memoryId;
  }, [memoryId]);
  return main;
}

function focusLink(memoryId: string): void {
  const route = formatRoute(memoryId);
  const link = Array.from(document.links).find(({ hash }) => hash === route || hash.startsWith(`${route}/`));
  link?.focus();
}
