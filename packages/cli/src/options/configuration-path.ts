import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { CliProcess } from '../terminal/cli-process.ts';

/** Returns the path of the user's configuration file, in the standard folder of the platform. */
export function configurationPath({ platform, env }: Pick<CliProcess, 'platform' | 'env'>): string {
  return join(configurationFolder(platform, env), 'memory-read', 'config.json');
}

function configurationFolder(platform: NodeJS.Platform, env: CliProcess['env']): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  // The XDG Base Directory Specification ignores relative paths.
  const folder = env.XDG_CONFIG_HOME ?? '';
  return isAbsolute(folder) ? folder : join(home, '.config');
}
