/**
 * Queries for TanStack Query and SWR, whose media URLs never expire in front of a user. The entry imports neither.
 *
 * @packageDocumentation
 */

export { memoriesQuery, memoryQuery, memoryReadKeys } from './memory-query.ts';
export type { MemoryQueryOptions, MemoryReader, MemoryReadKeys, MemoryReadQuery } from './query-types.ts';
export { type SwrArguments, type SwrConfiguration, swrArguments } from './swr-arguments.ts';
