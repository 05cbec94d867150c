import type { Mirror, MirroredMemory, RangeOptions } from '@memory-read/mirror';

/** Returns all memories of a mirror that started in a range, newest first. */
export async function listMirror(
  mirror: Mirror,
  signal: AbortSignal,
  range: RangeOptions = {},
): Promise<MirroredMemory[]> {
  const memories: MirroredMemory[] = [];
  let cursor: string | undefined;
  do {
    signal.throwIfAborted();
    const page = await mirror.listMemories({ ...range, limit: 1_000, cursor });
    memories.push(...page.memories);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return memories;
}
