import { MemoryApiError } from './memory-api-error.ts';

/** An option, the API key or a memory id cannot be used; thrown before any request. */
export class ConfigurationError extends MemoryApiError {
  readonly code = 'configuration';

  override get name(): 'ConfigurationError' {
    return 'ConfigurationError';
  }
}
