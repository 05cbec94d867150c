/** The error for a mock that cannot start in a page. */
export function startError(problem: string, advice: string, options?: ErrorOptions): Error {
  return new Error(`Failed to start the mock: ${problem}. ${advice}.`, options);
}
