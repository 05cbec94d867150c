import type { CliProcess } from '../terminal/cli-process.ts';
import { usageError } from '../terminal/command-error.ts';
import { configurationPath } from './configuration-path.ts';
import { defaultProfile, environmentProfile } from './profile-name.ts';
import { type Configuration, type Profile, readConfiguration, readSavedKey } from './read-configuration.ts';

/** A profile of the configuration file. */
export interface SavedProfile {
  name: string;
  /** `the profile <name>`, or the path of the file for the default profile. */
  title: string;
  settings: Profile;
  readKey: () => string | undefined;
}

/** The profiles that a command can use. The file is read when the first one is needed. */
export interface Profiles {
  /** Returns the profile of `--profile`. */
  chosen: () => SavedProfile | undefined;
  /** Returns the profile of `MEMORY_PROFILE`. */
  usual: () => SavedProfile | undefined;
  default: () => SavedProfile | undefined;
}

/** Opens the configuration file. A profile that is named must exist. */
export function openProfiles(process: CliProcess, chosen: string | undefined): Profiles {
  let file: Configuration | undefined;
  const find = (name: string): SavedProfile | undefined => {
    const path = configurationPath(process);
    file ??= readConfiguration(path);
    const settings = file.get(name);
    if (settings === undefined) return undefined;
    const title = name === defaultProfile ? path : `the profile ${name}`;
    return { name, title, settings, readKey: () => readSavedKey(settings, path) };
  };
  const findNamed = (source: string, name: string | undefined) => {
    if (name === undefined) return undefined;
    const found = find(name);
    if (found !== undefined) return found;
    const saved = [...(file?.keys() ?? [])].join(', ') || 'none';
    throw usageError(
      `${source}: there is no such profile in ${configurationPath(process)} (saved: ${saved}). Pass another name, or run memory-read login --profile NAME.`,
    );
  };
  // A mistyped name is reported even if the options have all values.
  const named = findNamed('--profile', chosen);
  return {
    chosen: () => named,
    usual: () => findNamed('MEMORY_PROFILE', environmentProfile(process)),
    default: () => find(defaultProfile),
  };
}
