/** A part of the tests that is run, timed and counted separately. */
export interface Suite {
  name: string;
  /** Suites that must pass before. If one of them fails, this one counts as failed without a run. */
  needs?: readonly string[] | undefined;
  /** Run only by `npm run test:full`. */
  isFull?: boolean | undefined;
  /** Whether the suite runs alone after all others, because their load would change its results. */
  isAlone?: boolean | undefined;
  /** Whether the suite installs packages. With `--full`, all others run without a network. */
  needsNetwork?: boolean | undefined;
  /** Runs all commands in parallel, and shows the errors of each. */
  isParallel?: boolean | undefined;
  /** Commands, run in sequence unless `isParallel`. The first failure ends the suite. */
  commands: readonly Command[];
}

export interface Command {
  /** Folder below the repository's root. */
  folder?: string | undefined;
  /** Program and arguments. */
  run: readonly [string, ...string[]];
  /** The file for the JSON report of Vitest, whose tests are counted. Without it, the command counts as one. */
  report?: string | undefined;
}

export interface SuiteResult {
  name: string;
  passed: number;
  /** What failed and why, each as a file and a test, or as a command. */
  failures: string[];
  /** Tests that need tools which are not installed. With CI=true they count as failed. */
  skipped: string[];
  seconds: number;
}
