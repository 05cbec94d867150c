import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type Browser, chromium } from 'playwright-core';
import { type ChromiumBinary, findChromium } from './find-chromium.ts';

export interface LaunchedChromium {
  browser: Browser;
  /** The binary that runs. */
  executablePath: string;
  /** What whoever starts the binary as well has to add to the environment. */
  environment: Record<string, string>;
  /** Ends the browser and removes what was unpacked for it; idempotent. */
  close(): Promise<void>;
}

/**
 * A running headless Chromium, offline-proof and for root and ordinary users alike.
 *
 * @throws Error when no Chromium can be found or started; says what to install.
 */
export async function launchChromium(): Promise<LaunchedChromium> {
  const binary = await findChromium();
  const forget = removeOnExit(binary);
  try {
    const browser = await start(binary);
    let closing: Promise<void> | undefined;
    return {
      browser,
      executablePath: binary.executablePath,
      environment: binary.environment,
      close: () => {
        closing ??= browser.close().finally(forget);
        return closing;
      },
    };
  } catch (error) {
    await forget();
    throw error;
  }
}

function start({ executablePath, environment }: ChromiumBinary): Promise<Browser> {
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...environment },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** 200 MB must not stay behind either when the process ends before the browser is closed. */
function removeOnExit({ temporaryDirectory }: ChromiumBinary): () => Promise<void> {
  if (temporaryDirectory === undefined) return async () => {};
  const remove = () => rmSync(temporaryDirectory, { recursive: true, force: true });
  process.once('exit', remove);
  return async () => {
    process.off('exit', remove);
    await rm(temporaryDirectory, { recursive: true, force: true });
  };
}
