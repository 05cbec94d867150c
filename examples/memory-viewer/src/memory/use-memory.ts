import type { Memory } from '@memory-read/client';
import { useEffect, useState } from 'react';
import { memoryName } from '../format/memory-name.ts';
import { useViewer } from '../viewer-context.ts';

export interface OneMemory {
  /** Null until it is there. */
  memory: Memory | null;
  error: unknown;
  retry(): void;
}

/** The memory as it is now, and once more when its processing is over. */
export function useMemory(memoryId: string): OneMemory {
  const { client, pollInterval, announce } = useViewer();
  const [memory, setMemory] = useState<Memory | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is made anew when its number changes.
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const read = async () => {
      const found = await client.getMemory(memoryId, { signal });
      setMemory(found);
      if (!found.is_processing) return;
      setMemory(await client.waitForMemory(memoryId, { signal, maxWait: false, maxInterval: pollInterval }));
      announce(`${memoryName(found)} is processed.`);
    };
    read().catch((reason: unknown) => void (signal.aborted || setError(reason)));
    return () => ending.abort();
  }, [client, pollInterval, announce, memoryId, attempt]);

  const retry = () => {
    setError(null);
    setAttempt((number) => number + 1);
  };
  return { memory, error, retry };
}
