import type { ResponseIssue } from '../validation/response-issue.ts';
import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/** What is wrong with a response: not JSON, JSON that was cut, a violation of the contract, an incomplete body, or more than `maxResponseBytes`. */
export type InvalidResponseReason = 'not_json' | 'cut_json' | 'structure' | 'partial' | 'too_large';

/** Fields of an {@link InvalidResponseError}. */
export interface InvalidResponseErrorInit extends ErrorContext {
  readonly reason: InvalidResponseReason;
  readonly issues?: readonly ResponseIssue[] | undefined;
  readonly truncated?: boolean | undefined;
  readonly memoryIds?: readonly string[] | undefined;
}

/** Thrown when a successful response has an unusable body. An incomplete body is never returned. */
export class InvalidResponseError extends MemoryApiError<InvalidResponseErrorInit> {
  static {
    nameErrors(this, 'InvalidResponseError');
  }

  readonly code = 'invalid_response';
  /** What is wrong with the response. */
  declare readonly reason: InvalidResponseReason;
  /** Violations of the contract, at most 20. They hold paths, never values. */
  declare readonly issues: readonly ResponseIssue[];
  /** Whether there were more issues. */
  declare readonly truncated: boolean;
  /** Ids of the memories that violate the contract, at most 20, as far as they have one. Secrets in them are redacted. */
  declare readonly memoryIds: readonly string[];

  constructor(message: string, init: InvalidResponseErrorInit) {
    super(message, init);
    this.issues ??= [];
    this.truncated ??= false;
    this.memoryIds ??= [];
  }
}
