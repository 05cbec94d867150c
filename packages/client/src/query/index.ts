/**
 * Queries for TanStack Query and SWR, which replace media URLs before they expire. The entry imports neither library.
 *
 * @packageDocumentation
 */

export { memoriesQuery, memoryQuery, memoryReadKeys } from './memory-query.ts';
export type { MemoryQueryOptions, MemoryReader, MemoryReadKeys, MemoryReadQuery, QueryState } from './query-types.ts';
export { type SwrArguments, type SwrConfiguration, swrArguments } from './swr-arguments.ts';
