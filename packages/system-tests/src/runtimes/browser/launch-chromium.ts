import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import sparticuz, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

interface ChromiumBinary {
  executablePath: string;
  /** Additions to the environment of the browser's process. */
  environment: Record<string, string>;
}

export interface LaunchedChromium extends ChromiumBinary {
  browser: Browser;
  close(): Promise<void>;
}

/**
 * Starts the headless Chromium that `CHROME_PATH` names, by default that of `@sparticuz/chromium`. An installed one is
 * not the default: results would depend on its version and on the fonts of the machine.
 */
export async function launchChromium(): Promise<LaunchedChromium> {
  const named = process.env.CHROME_PATH;
  if (!named && (process.platform !== 'linux' || process.arch !== 'x64'))
    throw new Error(`Failed to launch Chromium: npm has none for this machine. Install Chrome and set CHROME_PATH.`);
  const binary = named ? { executablePath: named, environment: {} } : await unpackChromium();
  const browser = await chromium.launch({
    executablePath: binary.executablePath,
    env: { ...process.env, ...binary.environment },
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  return { ...binary, browser, close: () => browser.close() };
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
