import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@memory-read/test-kit/repository';
import type { Browser, Page } from 'playwright-core';
import { serveMockPage } from '../runtimes/browser/serve-mock-page.ts';

/** The newest and the oldest version of MSW that the mock supports. */
export type MswName = 'msw' | 'msw-2';

/** Runs a program with this version of MSW, and returns the JSON that it prints in its first line. */
export async function runInNode<Result>(
  msw: MswName,
  program: string,
  options: readonly string[] = [],
): Promise<Result> {
  const preload = msw === 'msw' ? [] : ['--import', join(import.meta.dirname, 'use-msw-2.mjs')];
  const args = [...preload, '--conditions=@memory-read/source', program, ...options];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 64 * 1_048_576 });
  return JSON.parse(stdout.split('\n', 1).join());
}

/** Opens a page whose script starts the mock in a service worker. It is closed when `use` has ended. */
export async function useMockPage<Result>(
  browser: Browser,
  msw: MswName,
  script: string,
  use: (page: Page, url: string) => Promise<Result>,
): Promise<Result> {
  await using site = await serveMockPage(msw, script);
  const page = await browser.newPage();
  await page.goto(site.url);
  // A string, because Vitest would rewrite an import inside a function.
  await page.evaluate("import('/page.js')");
  const result = await use(page, site.url);
  await page.close();
  if (site.leaked.length > 0) throw new Error(`Failed to mock ${site.leaked.join()}: the network was asked.`);
  return result;
}
