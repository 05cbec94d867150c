import { type ErrorContext, MemoryApiError } from './memory-api-error.ts';

/** What every error made from an HTTP status carries. */
export interface StatusErrorInit extends ErrorContext {
  readonly status: number;
  readonly detail?: string | undefined;
}

/** The base of the errors that stand for an HTTP status. */
export abstract class StatusError<Init extends StatusErrorInit = StatusErrorInit> extends MemoryApiError<Init> {
  /** HTTP status; 0 for a redirect in a browser, which hides it. */
  declare readonly status: number;
  /** What the server said, where it said something readable. */
  declare readonly detail: string | undefined;
}
