import { canCure } from './memory-query.ts';
import type { MemoryReadQuery } from './query-types.ts';

/** Configuration for `useSWR`. */
export interface SwrConfiguration {
  /** Returns the milliseconds until the next read; 0 if no read follows. */
  refreshInterval(data: unknown): number;
  /** Returns whether the data differ at most in signatures of media URLs. */
  compare(first: unknown, second: unknown): boolean;
  /** Returns whether SWR may read again after an error. */
  shouldRetryOnError(error: unknown): boolean;
}

/** Arguments of `useSWR`: key, fetcher and configuration. */
export type SwrArguments<Data> = readonly [
  key: readonly string[] | null,
  fetcher: () => Promise<Data>,
  config: SwrConfiguration,
];

/**
 * Returns the arguments of `useSWR` for a query.
 *
 * Data that differ only in signatures of media URLs count as equal, so SWR keeps the old objects. Without an id, the key
 * is null, and SWR reads nothing.
 *
 * @example
 * ```ts
 * const { data: memory, error } = useSWR(...swrArguments(memoryQuery(client, memoryId)));
 * ```
 */
export function swrArguments<Data>(query: MemoryReadQuery<Data>): SwrArguments<Data> {
  const keeps = (old: unknown, fresh: unknown) => query.structuralSharing(old, fresh) === old;
  return [
    query.queryKey.includes('') ? null : query.queryKey,
    () => query.queryFn(),
    {
      refreshInterval: (data) => query.refetchInterval({ state: { data } }) || 0,
      // SWR compares in both orders. A URL that must be replaced has to differ in both.
      compare: (first, second) => keeps(first, second) && keeps(second, first),
      shouldRetryOnError: canCure,
    },
  ];
}
