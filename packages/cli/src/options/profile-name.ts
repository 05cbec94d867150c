import type { Command } from 'commander';
import type { CliProcess } from '../terminal/cli-process.ts';
import { usageError } from '../terminal/command-error.ts';

/** Name of the profile at the top level of the configuration file. */
export const defaultProfile = 'default';

const ruleSets = ['specification', 'reference'];

export function isProfileName(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(name) && !ruleSets.includes(name);
}

/** Parses `--profile` or `MEMORY_PROFILE`. An API key is rejected, because the name would be stored and printed. */
export function parseProfileName(source: string): (text: string) => string {
  return (text) => {
    if (/mrk_/i.test(text)) throw usageError(`${source}: it is an API key. Pass the name of a profile.`);
    if (isProfileName(text)) return text;
    if (ruleSets.includes(text)) {
      throw usageError(`${source}: "${text}" is a set of rules of verify, not a profile. Pass --rules ${text}.`);
    }
    throw usageError(
      `${source}: it is not the name of a profile. Pass 1 to 64 letters, digits, dots, hyphens or underscores.`,
    );
  };
}

/** Adds the option that selects a profile of the configuration file. */
export function addProfileOption(command: Command): Command {
  return command.option(
    '--profile <name>',
    'saved login to use (default: MEMORY_PROFILE)',
    parseProfileName('--profile'),
  );
}

export function environmentProfile({ env }: CliProcess): string | undefined {
  const { MEMORY_PROFILE: name } = env;
  return name ? parseProfileName('MEMORY_PROFILE')(name) : undefined;
}
