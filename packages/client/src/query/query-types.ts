import type { ListedMemory, Memory } from '@memory-read/contract';

/** A source of memories: a `MemoryClient`, or your own backend behind the same two methods. */
export interface MemoryReader {
  /** Returns all memories of the account. */
  listMemories(options?: { signal?: AbortSignal }): Promise<ListedMemory[]>;
  /** Returns a memory with its transcript. */
  getMemory(memoryId: string, options?: { signal?: AbortSignal }): Promise<Memory>;
}

/** Options of {@link memoriesQuery} and {@link memoryQuery}. */
export interface MemoryQueryOptions {
  /**
   * Name of the account in the cache. Use another name for each account, but never an API key. Default: `'default'`.
   */
  readonly scope?: string | undefined;
  /** Milliseconds between two reads while a memory is being processed. Default: 10,000. */
  readonly pollInterval?: number | undefined;
  /** Milliseconds before its expiry at which a media URL is replaced. Default: 300,000 (5 minutes). */
  readonly margin?: number | undefined;
  /** Whether to read again before a media URL expires. Default: true. */
  readonly refreshMedia?: boolean | undefined;
}

/** Keys of the cached queries of one account. */
export interface MemoryReadKeys {
  /** Beginning of every key of the account. */
  readonly all: readonly string[];
  /** Key of the list. */
  readonly memories: readonly string[];
  /** Returns the key of a memory. */
  memory(memoryId: string): readonly string[];
}

/** What a query library knows of a query. Times are milliseconds since 1970. */
export interface QueryState {
  /** Data of the last successful read. */
  readonly data?: unknown;
  /** Error of the last read, if it failed. */
  readonly error?: Error | null | undefined;
  /** Time of the last successful read; 0 or undefined if it is unknown. */
  readonly dataUpdatedAt?: number | undefined;
  /** Number of reads that succeeded; 0 for initial data. */
  readonly dataUpdateCount?: number | undefined;
  /** Time of the last failed read. */
  readonly errorUpdatedAt?: number | undefined;
  /** `'idle'` while no read is running or waiting for the network. */
  readonly fetchStatus?: string | undefined;
}

/** Options for `useQuery` of TanStack Query. Pass them as they are, or spread them and add your own. */
export interface MemoryReadQuery<Data> {
  readonly queryKey: readonly string[];
  /** Reads the data. It passes on the signal, so that an abandoned query is cancelled. */
  queryFn(context?: { signal?: AbortSignal }): Promise<Data>;
  /**
   * Milliseconds during which cached data count as fresh, unless their URLs expire: an hour without the margin, at least
   * a minute.
   */
  readonly staleTime: number;
  /** Returns the milliseconds until the next read; false if no read follows. */
  refetchInterval(query: { state: QueryState }): number | false;
  /** As `refetchOnReconnect`; false within a minute after a failed read. */
  refetchOnMount(query: { state: QueryState }): 'always' | boolean;
  /** Returns `'always'` if the data have to be read again, and true if `staleTime` decides. */
  refetchOnReconnect(query: { state: QueryState }): 'always' | true;
  /** As `refetchOnReconnect`. */
  refetchOnWindowFocus(query: { state: QueryState }): 'always' | true;
  /** Returns the fresh data, in which unchanged parts are the old objects. */
  structuralSharing<Fresh>(old: unknown, fresh: Fresh): Fresh;
  /** `false`, because the client retries. */
  readonly retry: false;
}
