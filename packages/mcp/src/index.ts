/**
 * An MCP server with which an assistant finds, reads and quotes memories.
 *
 * @packageDocumentation
 */

// Serve

export { createMemoryMcpServer, type MemoryMcpOptions } from './create-memory-mcp-server.ts';

// Sources of memories

export { createLiveSource, type LiveSourceOptions } from './sources/create-live-source.ts';
export {
  createMirrorSource,
  type MirrorHit,
  type MirrorMemory,
  type MirrorReader,
  type MirrorSourceOptions,
} from './sources/create-mirror-source.ts';
export type {
  Coverage,
  MemorySource,
  NamedMemory,
  PageOptions,
  Position,
  Question,
  ReadMemory,
  SearchHit,
  SourceListOptions,
  SourceMiss,
  SourceSearchOptions,
} from './sources/memory-source.ts';

// Receipts

export * from './receipt/index.ts';
