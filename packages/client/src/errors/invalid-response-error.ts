import type { ResponseIssue } from '../validation/response-issue.ts';
import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/** What is wrong with a response: no JSON, not the structure of the specification, only a part, or beyond 256 MiB. */
export type InvalidResponseReason = 'not_json' | 'structure' | 'partial' | 'too_large';

/** What an {@link InvalidResponseError} carries. */
export interface InvalidResponseErrorInit extends ErrorContext {
  readonly reason: InvalidResponseReason;
  readonly issues?: readonly ResponseIssue[] | undefined;
  readonly truncated?: boolean | undefined;
}

/** A success whose body cannot be used; a part never passes for the whole. */
export class InvalidResponseError extends MemoryApiError<InvalidResponseErrorInit> {
  static {
    nameErrors(this, 'InvalidResponseError');
  }

  readonly code = 'invalid_response';
  /** What is wrong. */
  declare readonly reason: InvalidResponseReason;
  /** Where the structure is broken: paths, never values; at most 20. */
  declare readonly issues: readonly ResponseIssue[];
  /** Whether there were more issues than these. */
  declare readonly truncated: boolean;

  constructor(message: string, init: InvalidResponseErrorInit) {
    super(message, { issues: [], truncated: false, ...init });
  }
}
