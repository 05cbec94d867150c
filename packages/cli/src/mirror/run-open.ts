import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { systemCodeOf } from '../files/file-error.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { print } from '../terminal/print.ts';
import { findIndex, findMirror, mirrorCommand } from './find-mirror.ts';

/** Opens `index.html` of a mirror in the browser, or prints its path. */
export async function runOpen({ print: prints, mirror, process }: MirrorOption & { print?: boolean }): Promise<void> {
  const folder = findMirror(process, mirror);
  const index = findIndex(folder);
  if (index === null) {
    const problem = `the mirror has no index.html. Run ${mirrorCommand(folder)} to write it.`;
    throw new CommandError(exitCodes.usage, `Failed to open ${JSON.stringify(folder)}: ${problem}`);
  }
  if (prints) await print(process, `${index}\n`);
  else await openPage(index, process);
}

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe' };

/** The browser stays open when the command has ended. */
async function openPage(index: string, { env, platform }: MirrorOption['process']): Promise<void> {
  const { href } = pathToFileURL(index);
  const own = env.MEMORY_READ_BROWSER;
  const opener = own || (openers[platform] ?? 'xdg-open');
  // Within quotes, a URL has no other character that a shell reads.
  const quoted = platform === 'win32' ? `"${href}"` : `'${href.replaceAll("'", '%27')}'`;
  const settings = { env, detached: true, stdio: 'ignore' } as const;
  const child = own ? spawn(`${own} ${quoted}`, { ...settings, shell: true }) : spawn(opener, [href], settings);
  child.unref();
  try {
    await once(child, 'spawn');
  } catch (error) {
    const problem = `${opener} cannot be started (${systemCodeOf(error)}).`;
    const advice = 'Open the file in a browser, or set MEMORY_READ_BROWSER to the command of one.';
    throw new CommandError(exitCodes.failed, `Failed to open ${JSON.stringify(index)}: ${problem} ${advice}`);
  }
}
