/** Thrown when a request gets no response, or one that cannot be read completely. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
  /** The request, for evidence. */
  readonly sent: string;
  /** Reason, without the words of the runtime, which may repeat headers and URLs. */
  readonly reason: string;

  constructor(sent: string, reason: string) {
    super(`Failed to read the response to ${sent}: ${reason}. Check that the server runs and can be reached.`);
    this.sent = sent;
    this.reason = reason;
  }
}

/** Thrown when a response is too large for a run. */
export class TooMuchError extends Error {
  override readonly name = 'TooMuchError';
}

/** Thrown when a check cannot be made in this run. */
export class SkippedError extends Error {
  override readonly name = 'SkippedError';
}

export function isUnanswered(error: unknown): error is UnansweredError {
  return Object(error).name === 'UnansweredError';
}

export function isSkipped(error: unknown): error is SkippedError {
  return Object(error).name === 'SkippedError';
}
