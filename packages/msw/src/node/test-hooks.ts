/** Hooks of a test runner. */
export interface TestHooks {
  /** Called once, to start the interception. */
  beforeAll(run: () => void): unknown;
  /** Called once, to register the reset after each test. The runner must await `run`: its rejection fails the test. */
  afterEach(run: () => Promise<void>): unknown;
  /**
   * Called once, to register the end. The runner must await `run`: its rejection reports errors after the last test.
   */
  afterAll(run: () => Promise<void>): unknown;
}

/**
 * Returns the given hooks, or the global ones of Jest and of Vitest with `globals: true`.
 *
 * @throws a {@link TypeError} if hooks are missing.
 */
export function findHooks(passed: TestHooks | undefined): TestHooks {
  const hooks = passed ?? (globalThis as Partial<TestHooks>);
  if (isComplete(hooks)) return hooks;
  throw new TypeError(
    'Failed to set up the mock: beforeAll, afterEach or afterAll is missing. Pass the hooks of the test runner as hooks.',
  );
}

function isComplete(hooks: Partial<TestHooks>): hooks is TestHooks {
  return [hooks.beforeAll, hooks.afterEach, hooks.afterAll].every((hook) => typeof hook === 'function');
}
