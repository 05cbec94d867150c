/** A part of the tests that is run, timed and counted by itself. */
export interface Suite {
  name: string;
  /** Suites that must have passed before; when one failed, this one counts as failed without being run. */
  needs?: readonly string[] | undefined;
  /** Run by `npm run test:full` only. */
  isFull?: boolean | undefined;
  /** Whether the suite runs alone after all others, because the load of others would change its results. */
  isAlone?: boolean | undefined;
  /** Runs all commands at the same time, and shows the errors of each. */
  isParallel?: boolean | undefined;
  /** One child process after the other, unless `isParallel`; the first that fails ends the suite. */
  commands: readonly Command[];
}

export interface Command {
  /** Folder below the repository's root. */
  folder?: string | undefined;
  /** Program and arguments. */
  run: readonly [string, ...string[]];
  /** The command writes vitest's JSON report here, and its tests are counted; otherwise the command counts as one. */
  report?: string | undefined;
}

export interface SuiteResult {
  name: string;
  passed: number;
  failed: number;
  /** Tests that need what this machine does not have; with CI=true they count as failed. */
  skipped: string[];
  seconds: number;
}
