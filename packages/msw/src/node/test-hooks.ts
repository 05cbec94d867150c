/** Where a test runner is told what to do around tests. */
export interface TestHooks {
  /** Called once, to begin with the interception. */
  beforeAll(run: () => void): unknown;
  /** Only needed for a server that is joined, whose own reset takes the handlers away. */
  beforeEach?: ((run: () => void) => unknown) | undefined;
  /** Called once, to take back after each test what it changed. `run` has to be awaited: its rejection fails the test. */
  afterEach(run: () => Promise<void>): unknown;
  /** Called once, to end the interception. `run` has to be awaited: its rejection tells of what came after the last test. */
  afterAll(run: () => Promise<void>): unknown;
}

/**
 * The hooks that were passed in, or the global ones of Jest and of Vitest with `globals: true`.
 *
 * @throws TypeError where there are none.
 */
export function findHooks(passed: TestHooks | undefined): TestHooks {
  const hooks = passed ?? (globalThis as Partial<TestHooks>);
  if (isComplete(hooks)) return hooks;
  throw new TypeError(
    'Failed to set up the mock: because there are no beforeAll, afterEach and afterAll. Pass those of the test runner as hooks.',
  );
}

function isComplete(hooks: Partial<TestHooks>): hooks is TestHooks {
  return [hooks.beforeAll, hooks.afterEach, hooks.afterAll].every((hook) => typeof hook === 'function');
}
