import { MemoryApiError, nameErrors } from './memory-api-error.ts';

/** Thrown before any request when an option, the API key or a memory id is invalid. */
export class ConfigurationError extends MemoryApiError {
  static {
    nameErrors(this, 'ConfigurationError');
  }

  readonly code = 'configuration';
}
