import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { contextOf, type MemoryMcpOptions, serverOf } from '../create-memory-mcp-server.ts';
import { logToStandardError } from './log-to-standard-error.ts';
import type { McpProcess } from './mcp-process.ts';

/**
 * Serves the tools over standard input and output, until the input ends.
 *
 * Standard output contains only the protocol. So after this call, `console` of this process writes to standard error.
 *
 * - `close` ends the connection. A second call does nothing.
 * - A message of more than 10 MiB ends the connection too. The exit status of the process is then 1.
 *
 * @example
 * ```ts
 * import { MemoryClient } from '@memory-read/client';
 * import { createLiveSource } from '@memory-read/mcp';
 * import { serveMcpStdio } from '@memory-read/mcp/node';
 *
 * serveMcpStdio({ source: createLiveSource(new MemoryClient()) });
 * ```
 */
export function serveMcpStdio(options: MemoryMcpOptions): {
  /** Ends the connection. */
  close(): Promise<void>;
} {
  const served = serveStreams(options, process);
  logToStandardError();
  return served;
}

/** Serves the tools over the standard streams of a process. */
export function serveStreams(
  options: MemoryMcpOptions,
  process: Pick<McpProcess, 'stdin' | 'stdout' | 'stderr' | 'exitCode'>,
): { close(): Promise<void> } {
  const transport = new StdioServerTransport(process.stdin, process.stdout);
  const onerror = (error: Error) => reportLongMessage(error, process);
  const context = contextOf(options);
  const connection = serveStdio(() => serverOf(context), { transport, onerror });
  let closed: Promise<void> | undefined;
  return {
    close: () => {
      closed ??= connection.close();
      return closed;
    },
  };
}

/** The transport closes itself after this error. Other errors do not end the connection. */
function reportLongMessage({ message }: Error, process: Pick<McpProcess, 'stderr' | 'exitCode'>): void {
  if (!message.startsWith('ReadBuffer exceeded')) return;
  process.stderr.write(
    'Failed to read a message: it is longer than 10 MiB. Connect again, and send shorter messages.\n',
  );
  process.exitCode = 1;
}
