import { ConfigurationError } from '../errors/errors.ts';

/** Returns the error for an option. `action` is what the caller wants, such as "list memories". */
export function refuseOption(action: string, problem: string, remedy: string, option?: string): ConfigurationError {
  return new ConfigurationError(`Failed to ${action}: ${problem}. ${remedy}`, { option });
}
