import { ConfigurationError } from '@memory-read/client';
import type { RefusedOptions } from '@memory-read/contract/options';

/** @throws {@link ConfigurationError} if options are refused. */
export function throwIfRefused(action: string, refused: RefusedOptions | undefined): void {
  if (refused === undefined) return;
  const { name: option, reason, advice } = refused;
  throw new ConfigurationError(`Failed to ${action}: ${reason}. ${advice}.`, { option });
}
