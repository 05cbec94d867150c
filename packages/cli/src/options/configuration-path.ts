import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';

/**
 * Returns the path of the user's configuration file, in the standard folder of the platform. Relative paths in the
 * environment are ignored, because the file would depend on the current folder.
 *
 * @throws CommandError if the user has no such folder.
 */
export function configurationPath({ platform, env }: Pick<CliProcess, 'platform' | 'env'>): string {
  return join(configurationFolder(platform, env), 'memory-read', 'config.json');
}

function configurationFolder(platform: NodeJS.Platform, env: CliProcess['env']): string {
  if (platform === 'darwin') return join(homeFolder(env), 'Library', 'Application Support');
  if (platform === 'win32') return absolute(env.APPDATA) ?? join(homeFolder(env), 'AppData', 'Roaming');
  return absolute(env.XDG_CONFIG_HOME) ?? join(homeFolder(env), '.config');
}

function homeFolder({ HOME, USERPROFILE }: CliProcess['env']): string {
  const folder = absolute(HOME) ?? absolute(USERPROFILE) ?? absolute(systemHome());
  if (folder !== undefined) return folder;
  throw new CommandError(
    exitCodes.usage,
    'Failed to find the saved login: this user has no home folder. Set HOME, or MEMORY_API_URL and MEMORY_API_KEY.',
  );
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** The function `homedir` of Node would return a relative HOME. */
function systemHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    // The system does not know the id of the user, as in some containers.
    return undefined;
  }
}
