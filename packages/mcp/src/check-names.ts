import { ConfigurationError } from '@memory-read/client';
import { refuseOptions } from '@memory-read/contract/option-names';

/** @throws {@link ConfigurationError} if an option has none of these names. */
export function checkNames(action: string, options: unknown, names: readonly string[]): void {
  const refused = refuseOptions(options, names);
  if (refused === undefined) return;
  const { name: option, reason, advice } = refused;
  throw new ConfigurationError(`Failed to ${action}: ${reason}. ${advice}.`, { option });
}
