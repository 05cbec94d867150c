import { configurationPath } from '../options/configuration-path.ts';
import { readConfiguration } from '../options/read-configuration.ts';
import type { CliProcess } from '../terminal/cli-process.ts';

/** Prints the names of the saved profiles that begin with a text, a line each. Prints nothing without a valid configuration file. */
export function printProfiles(process: CliProcess, prefix = ''): void {
  for (const name of savedNames(process)) if (name.startsWith(prefix)) process.stdout.write(`${name}\n`);
}

function savedNames(process: CliProcess): string[] {
  try {
    return [...readConfiguration(configurationPath(process)).keys()];
  } catch {
    // A message would disturb the line that the user types.
    return [];
  }
}
