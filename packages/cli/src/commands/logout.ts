import { type Command, Option } from 'commander';
import { asProfile } from '../login/read-answers.ts';
import { updateConfiguration } from '../login/update-configuration.ts';
import { configurationPath } from '../options/configuration-path.ts';
import { addProfileOption, defaultProfile, environmentProfile } from '../options/profile-name.ts';
import { type Profile, readConfiguration } from '../options/read-configuration.ts';
import type { CommandContext } from '../terminal/cli-process.ts';
import { note } from '../terminal/note.ts';
import { quantity } from '../terminal/quantity.ts';

interface LogoutOptions extends CommandContext {
  profile?: string | undefined;
  all?: boolean | undefined;
}

export function define(command: Command): void {
  addProfileOption(command)
    .addOption(new Option('--all', 'remove every saved login').conflicts('profile'))
    .addHelpText('after', help)
    .action(runLogout);
}

const help = `
Removes the server and the key of one profile, or of all. The key stays valid.
To revoke it, use the account settings of the server.
Ends with 0 even if nothing was saved.

Examples:
  memory-read logout
  memory-read logout --profile work`;

function runLogout(options: LogoutOptions): void {
  const { process, profile, all = false } = options;
  const path = configurationPath(process);
  const name = profile ?? environmentProfile(process) ?? defaultProfile;
  const removed = new Map([...readConfiguration(path)].filter(([each]) => all || each === name));
  if (removed.size === 0) {
    note(`Nothing was saved${all ? '' : asProfile(name)} in ${path}.`, options);
  } else {
    updateConfiguration(path, (profiles) => {
      for (const each of removed.keys()) profiles.delete(each);
    });
    note(`Removed ${describe(removed, name)} from ${path}.`, options);
    noteKeyFiles(removed, options);
  }
  if (process.env.MEMORY_API_KEY) note('MEMORY_API_KEY is set, and commands use it.', options);
}

function describe(removed: ReadonlyMap<string, Profile>, name: string): string {
  if (removed.size > 1) return quantity(removed.size, 'login', 'logins');
  return removed.has(defaultProfile) ? 'the login' : `the profile ${[...removed.keys()][0] ?? name}`;
}

/** The user wrote these files, so they stay. */
function noteKeyFiles(removed: ReadonlyMap<string, Profile>, options: LogoutOptions): void {
  for (const { apiKeyFile } of removed.values()) {
    if (apiKeyFile !== undefined)
      note(`The key file ${apiKeyFile} stays. Remove it if you no longer need it.`, options);
  }
}
