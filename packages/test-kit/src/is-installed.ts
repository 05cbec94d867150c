import { spawnSync } from 'node:child_process';

/** The environment in which daemons of the operating system are found. */
export const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

/** Returns whether the program can be tested here, and prints it if not. With `CI=true`, it must be installed. */
export function isInstalled(program: string): boolean {
  const isFound = spawnSync(program, ['--version'], { env: environment }).error === undefined;
  if (!isFound && process.env.CI !== 'true') console.log(`The tests of ${program} are left out: it is not installed.`);
  return isFound || process.env.CI === 'true';
}
