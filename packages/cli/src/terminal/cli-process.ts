import type { Readable, Writable } from 'node:stream';

/**
 * What commands use of the process that runs them. `main.ts` passes the process of Node, and tests pass another one.
 *
 * The rest belongs to Node's own process. The version check, the filter of warnings and the flags of the heap apply to all
 * of its code, and so do the current folder and the time zone of `Date`. `pg` reads its variables itself. A pager and `mcp`
 * use its file descriptors. The files that `biome.json` names read facts of the system, such as the platform and the user.
 */
export interface CliProcess extends Pick<NodeJS.Process, 'argv' | 'env' | 'exitCode' | 'platform' | 'umask'> {
  readonly stdin: Readable & { isTTY?: boolean | undefined };
  readonly stdout: OutputStream & { fd: number };
  readonly stderr: OutputStream;
  /** Ends the process. A caller does nothing afterwards. */
  exit(): void;
  on(signal: EndSignal, listener: () => void): unknown;
  off(signal: EndSignal, listener: () => void): unknown;
}

/** Standard output or standard error. The size is known only for a terminal. */
export interface OutputStream extends Writable {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  rows?: number | undefined;
}

export type EndSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

/** What each action of a command gets with its options. */
export interface CommandContext {
  process: CliProcess;
}
