import type { MemoryHit } from '@memory-read/client/search';

/** Returns the hit that an assistant can quote, or else the first one; undefined without a hit. */
export function chooseHit<Hit extends Pick<MemoryHit, 'kind'>>(hits: readonly Hit[]): Hit | undefined {
  return hits.find(({ kind }) => kind === 'transcript') ?? hits[0];
}
