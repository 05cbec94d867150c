/**
 * The search of the command line, of the mirror, of its page and of assistants: the same words find the same memories
 * everywhere. It needs no client, so it also runs in browsers and on stored JSON.
 *
 * @packageDocumentation
 */

// Search

export { readTimeRange, type TimeLimits, type TimeOptions, type TimeRange } from './read-time-range.ts';
export { type SearchOptions, searchMemories } from './search-memories.ts';
export type { HitKind, MemoryHit, SearchMiss, SearchSource } from './search-types.ts';
export { hitKinds } from './search-types.ts';

// Search again and again

export {
  type CueSource,
  type MemoryMatch,
  matchMemory,
  type PreparedMemory,
  type PreparedText,
  prepareCues,
  prepareMemory,
} from './match-memory.ts';
export { type MissCounter, missCounter } from './miss-counter.ts';
export {
  isEmptyQuery,
  isSpeaker,
  parseQuery,
  type Query,
  type QueryOptions,
  type QuerySpeaker,
  type Term,
} from './parse-query.ts';

// Build an index

export { fold, isAnyPart } from './fold.ts';
export { hitOf, type TextHit } from './hit-of.ts';
export { coverOf } from './match-memory.ts';
export { speakerKey } from './parse-query.ts';
export { type SearchText, searchTexts, type TextSegments } from './search-texts.ts';
