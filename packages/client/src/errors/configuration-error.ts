import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/** Fields of a {@link ConfigurationError}. */
export interface ConfigurationErrorInit extends ErrorContext {
  readonly option?: string | undefined;
}

/** Thrown before any request when an option, the API key or a memory id is invalid. */
export class ConfigurationError extends MemoryApiError<ConfigurationErrorInit> {
  static {
    nameErrors(this, 'ConfigurationError');
  }

  readonly code = 'configuration';
  /** Name of the invalid option, as you wrote it; absent if no option is invalid. */
  declare readonly option?: string;
}
