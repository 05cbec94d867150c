/**
 * The first statements of a program of Node.js.
 *
 * @packageDocumentation
 */

/** The parts of a process of Node.js with which a program begins. */
export interface ProgramProcess {
  /** Versions of Node.js and its parts. */
  readonly versions: { readonly node: string };
  /** Standard error. */
  readonly stderr: {
    /** Writes a text. */
    write(text: string): unknown;
  };
  /** Exit code of the process. */
  exitCode?: number | string | null | undefined;
  /** Ends the process. */
  exit(code: number): void;
  /** Adds a listener of a signal. */
  on(signal: string, listener: () => void): unknown;
  /** Returns the number of listeners of a signal. */
  listenerCount(signal: string): number;
}

// Every version of Node parses this file, so it uses only syntax of Node 14.

/**
 * Ends the process on a signal until the program listens for it, and returns whether its version of Node is new enough.
 *
 * If it is older, the process gets a message and exit code 1. Import the program itself dynamically, because an old version
 * cannot parse it. The first process of a container ignores signals for which there is no listener.
 */
export function beginProgram(
  process: ProgramProcess,
  name: string,
  [major, minor]: readonly [number, number],
): boolean {
  for (const [signal, exitCode] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(exitCode);
    });
  }
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return true;
  process.stderr.write(
    `Failed to start ${name}: this is Node v${process.versions.node}, but ${major}.${minor} or newer is required. Install it from https://nodejs.org and run the command again.\n`,
  );
  process.exitCode = 1;
  return false;
}
