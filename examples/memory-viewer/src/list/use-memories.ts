import type { ListedMemory, MemoryChange } from '@memory-read/client';
import { useEffect, useState } from 'react';
import { memoryName } from '../format/memory-name.ts';
import { useViewer } from '../viewer-context.ts';

export interface Memories {
  /** Newest first; null until they are there. */
  memories: readonly ListedMemory[] | null;
  /** What ended the reading. */
  error: unknown;
  /** Whether the last poll failed. Polling continues. */
  isStale: boolean;
  retry(): void;
}

/** The memories of the account, kept up to date while they are shown. */
export function useMemories(): Memories {
  const { client, pollInterval, announce } = useViewer();
  const [memories, setMemories] = useState<readonly ListedMemory[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isStale, setIsStale] = useState(false);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is made anew when its number changes.
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    // Called after each poll, even if nothing has changed.
    const onEnd = ({ error }: { error?: unknown }) => void (signal.aborted || setIsStale(error !== undefined));
    const follow = async () => {
      setMemories(await client.listMemories({ signal }));
      const watchingClient = client.withOptions({ hooks: { onEnd } });
      for await (const change of watchingClient.watchMemories({ signal, interval: pollInterval })) {
        setMemories((known) => applyChange(known ?? [], change));
        if (change.type === 'processed') announce(`${memoryName(change.memory)} is processed.`);
      }
    };
    follow().catch((reason: unknown) => void (signal.aborted || setError(reason)));
    return () => ending.abort();
  }, [client, pollInterval, announce, attempt]);

  const retry = () => {
    setError(null);
    setIsStale(false);
    setAttempt((number) => number + 1);
  };
  return { memories, error, isStale, retry };
}

/** The list with one change; what is said twice changes nothing. */
export function applyChange(memories: readonly ListedMemory[], change: MemoryChange): readonly ListedMemory[] {
  if (change.type === 'missing') return memories.filter(({ id }) => id !== change.memoryId);
  const { memory } = change;
  if (memories.some(({ id }) => id === memory.id))
    return memories.map((known) => (known.id === memory.id ? memory : known));
  return [...memories, memory].sort((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at));
}
