/**
 * An MCP server with which an assistant finds, reads and quotes memories.
 *
 * @packageDocumentation
 */

export * from './receipt/index.ts';
