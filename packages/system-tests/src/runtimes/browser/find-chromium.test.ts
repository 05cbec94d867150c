import { afterEach, expect, test, vi } from 'vitest';
import { findChromium } from './find-chromium.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the browser that CHROME_PATH names is taken before any other', async () => {
  vi.stubEnv('CHROME_PATH', process.execPath);
  await expect(findChromium()).resolves.toEqual({ executablePath: process.execPath, environment: {} });
});

test('a CHROME_PATH that cannot be executed is refused, and nothing else is taken in its place', async () => {
  vi.stubEnv('CHROME_PATH', '/no/such/chromium');
  await expect(findChromium()).rejects.toThrow('CHROME_PATH (/no/such/chromium) cannot be executed');
});
