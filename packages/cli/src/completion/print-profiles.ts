import { configurationPath } from '../options/configuration-path.ts';
import { readConfiguration } from '../options/read-configuration.ts';

/** Prints the names of the saved profiles that begin with a text, a line each. Prints nothing without a valid configuration file. */
export function printProfiles(prefix = ''): void {
  for (const name of savedNames()) if (name.startsWith(prefix)) process.stdout.write(`${name}\n`);
}

function savedNames(): string[] {
  try {
    return [...readConfiguration(configurationPath()).keys()];
  } catch {
    // A message would disturb the line that the user types.
    return [];
  }
}
