import { constants, existsSync } from 'node:fs';
import { access, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import sparticuz, { inflate } from '@sparticuz/chromium';

export interface ChromiumBinary {
  executablePath: string;
  /** Additions to the environment of the browser's process. */
  environment: Record<string, string>;
}

/**
 * A Chromium to start: the one that `CHROME_PATH` names, else that of `@sparticuz/chromium`, which is unpacked once for
 * all. Where npm has none, an installed one.
 *
 * An installed one is not the default on Linux: results would depend on its version and on the fonts of the machine.
 *
 * @throws Error if `CHROME_PATH` cannot be executed, or there is no Chromium for this platform.
 */
export async function findChromium(): Promise<ChromiumBinary> {
  const named = process.env.CHROME_PATH;
  if (!named && process.platform === 'linux' && process.arch === 'x64') return unpackChromium();
  for (const executablePath of named ? [named] : installedPaths()) {
    if (await isExecutable(executablePath)) return { executablePath, environment: {} };
  }
  throw new Error(
    named
      ? `Failed to launch Chromium: CHROME_PATH (${named}) cannot be executed. Correct or unset it.`
      : `Failed to launch Chromium: it is not installed, and npm has no binary for ${process.platform} ${process.arch}. Install Chrome, or set CHROME_PATH.`,
  );
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function installedPaths(): string[] {
  if (process.platform === 'darwin') return ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
  if (process.platform === 'win32') {
    const roots = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
    return roots.flatMap((root) => (root ? [join(root, 'Google/Chrome/Application/chrome.exe')] : []));
  }
  return ['chromium', 'google-chrome', 'google-chrome-stable'].flatMap((name) =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .filter(Boolean)
      .map((directory) => join(directory, name)),
  );
}

async function unpackChromium(): Promise<ChromiumBinary> {
  const packageFolder = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..');
  const { version } = createRequire(import.meta.url)(join(packageFolder, 'package.json'));
  const folder = join(root, 'node_modules', '.cache', `chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder, join(packageFolder, 'bin', 'al2023.tar.br'));
  // Libraries and fonts from the package of Chromium, for machines without them.
  const libraryPaths = [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean);
  const fonts = process.env.FONTCONFIG_PATH ?? join(folder, 'fonts');
  const environment = { LD_LIBRARY_PATH: libraryPaths.join(delimiter), FONTCONFIG_PATH: fonts };
  return { executablePath: join(folder, 'chromium'), environment };
}

/** Unpacks into another folder and renames it, because several processes may do so at the same time. */
async function unpackInto(folder: string, libraries: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const unpacked = await mkdtemp(`${folder}-`);
  const previous = process.env.TMPDIR;
  // `executablePath` reads TMPDIR before its first await.
  process.env.TMPDIR = unpacked;
  const unpacking = Promise.all([sparticuz.executablePath(), inflate(libraries)]);
  if (previous === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = previous;
  await unpacking;
  // The font configuration of the package names folders that do not exist on this machine.
  const folders = [join(folder, 'fonts'), '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`).join('');
  const configuration = `<fontconfig>${folders}<cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>\n`;
  await writeFile(join(unpacked, 'fonts', 'fonts.conf'), configuration);
  await rename(unpacked, folder).catch(() => rm(unpacked, { recursive: true }));
}
