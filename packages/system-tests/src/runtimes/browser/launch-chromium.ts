import { type Browser, chromium } from 'playwright-core';
import { type ChromiumBinary, findChromium } from './find-chromium.ts';

export interface LaunchedChromium extends ChromiumBinary {
  browser: Browser;
  close(): Promise<void>;
}

/**
 * A running headless Chromium, offline-proof and for root and ordinary users alike.
 *
 * @throws Error when no Chromium can be found or started; says what to install.
 */
export async function launchChromium(): Promise<LaunchedChromium> {
  const binary = await findChromium();
  const browser = await chromium.launch({
    executablePath: binary.executablePath,
    env: { ...process.env, ...binary.environment },
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
  return { ...binary, browser, close: () => browser.close() };
}
