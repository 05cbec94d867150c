/**
 * The tools over standard input and output, and over HTTP, in Node.js.
 *
 * @packageDocumentation
 */

export { type RunningMcpServer, type ServeMcpHttpOptions, serveMcpHttp } from './serve-mcp-http.ts';
export { serveMcpStdio } from './serve-mcp-stdio.ts';
