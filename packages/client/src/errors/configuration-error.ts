import { MemoryApiError, nameErrors } from './memory-api-error.ts';

/** An option, the API key or a memory id cannot be used; thrown before any request. */
export class ConfigurationError extends MemoryApiError {
  static {
    nameErrors(this, 'ConfigurationError');
  }

  readonly code = 'configuration';
}
