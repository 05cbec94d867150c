import { access, constants, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import sparticuz, { inflate } from '@sparticuz/chromium';

export interface ChromiumBinary {
  executablePath: string;
  /** What has to be added to the environment of the browser's process. */
  environment: Record<string, string>;
  /** Directory that belongs to this binary alone and has to be removed after use. */
  temporaryDirectory?: string | undefined;
}

/**
 * A Chromium to start: `CHROME_PATH` if set, else an installed one, else the one of `@sparticuz/chromium`, unpacked
 * into a directory of its own.
 *
 * @throws Error when `CHROME_PATH` cannot be executed, or when there is none for this platform.
 */
export async function findChromium(): Promise<ChromiumBinary> {
  const named = process.env.CHROME_PATH;
  if (named) return { executablePath: await assertExecutable(named), environment: {} };
  for (const executablePath of installedPaths()) {
    if (await isExecutable(executablePath)) return { executablePath, environment: {} };
  }
  return unpackChromium();
}

async function assertExecutable(path: string): Promise<string> {
  if (await isExecutable(path)) return path;
  throw new Error(`Failed to launch Chromium: because CHROME_PATH (${path}) cannot be executed. Correct or unset it.`);
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
  const directories = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const names = ['chromium', 'google-chrome', 'google-chrome-stable'];
  return directories.flatMap((directory) => names.map((name) => join(directory, name)));
}

async function unpackChromium(): Promise<ChromiumBinary> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `Failed to launch Chromium: because none is installed and npm has none for ${process.platform} ${process.arch}. Install Chrome, or set CHROME_PATH.`,
    );
  }
  const temporaryDirectory = await mkdtemp(join(tmpdir(), 'memory-read-chromium-'));
  try {
    const executablePath = await unpackInto(temporaryDirectory);
    return { executablePath, environment: unpackedEnvironment(temporaryDirectory), temporaryDirectory };
  } catch (error) {
    await rm(temporaryDirectory, { recursive: true, force: true });
    throw error;
  }
}

async function unpackInto(directory: string): Promise<string> {
  const packageEntry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const libraries = join(dirname(packageEntry), '../bin/al2023.tar.br');
  const previous = process.env.TMPDIR;
  // It reads TMPDIR before its first await, and would reuse whatever an earlier run left in the common one.
  process.env.TMPDIR = directory;
  const unpacking = Promise.all([sparticuz.executablePath(), inflate(libraries)]);
  if (previous === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = previous;
  const [executablePath] = await unpacking;
  await writeFile(join(directory, 'fonts', 'fonts.conf'), fontConfiguration(directory));
  return executablePath;
}

/** The configuration that comes with the fonts looks for them in directories that only exist elsewhere. */
function fontConfiguration(directory: string): string {
  const folders = [join(directory, 'fonts'), '/usr/share/fonts'].map((folder) => `<dir>${folder}</dir>`);
  return `<fontconfig>${folders.join('')}<cachedir>${join(directory, 'font-cache')}</cachedir></fontconfig>\n`;
}

/** The NSS libraries and the fonts that came with it, for machines that have none. */
function unpackedEnvironment(directory: string): Record<string, string> {
  const libraryPaths = [join(directory, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean);
  const fonts = process.env.FONTCONFIG_PATH ?? join(directory, 'fonts');
  return { LD_LIBRARY_PATH: libraryPaths.join(delimiter), FONTCONFIG_PATH: fonts };
}
