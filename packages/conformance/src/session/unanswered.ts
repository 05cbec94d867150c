/** A request that got no answer, or none that could be read whole. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
  /** The request, for evidence. */
  readonly sent: string;
  /** Why, without the runtime's own words, which may repeat headers and URLs. */
  readonly reason: string;

  constructor(sent: string, reason: string) {
    super(`Failed to read the answer to ${sent}: because ${reason}. Check that the server runs and can be reached.`);
    this.sent = sent;
    this.reason = reason;
  }
}

/** A response that is too large for a run. */
export class TooMuchError extends Error {
  override readonly name = 'TooMuchError';
}

/** Ends a check that this run cannot make. */
export class SkippedError extends Error {
  override readonly name = 'SkippedError';
}
