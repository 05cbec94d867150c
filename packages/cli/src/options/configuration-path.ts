import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** What the place of the configuration depends on. */
export interface Environment {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/** The configuration file of this user, in the folder that the platform has for such files. */
export function configurationPath({ platform, env }: Environment = process): string {
  return join(configurationFolder(platform, env), 'memory-read', 'config.json');
}

function configurationFolder(platform: NodeJS.Platform, env: Environment['env']): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  // One that is not absolute is to be ignored, says the XDG Base Directory Specification.
  const folder = env.XDG_CONFIG_HOME ?? '';
  return isAbsolute(folder) ? folder : join(home, '.config');
}
