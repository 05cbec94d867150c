import type { Readable, Writable } from 'node:stream';

/** The parts of a process of Node.js that the program uses. */
export interface McpProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  exitCode?: number | string | null | undefined;
  exit(): void;
  once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}
