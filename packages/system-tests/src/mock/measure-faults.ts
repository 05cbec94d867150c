import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { runRecipe } from '../docs/recipes/run-recipe.ts';
import { type LaunchedChromium, launchChromium } from '../runtimes/browser/launch-chromium.ts';
import { serveMockPage } from '../runtimes/browser/serve-mock-page.ts';

/** Observations of each case of `faultCases` in one environment. */
export interface Measurement {
  /** Such as `MSW 3.0.5, Node`. */
  place: string;
  seen: string[];
}

/** Both majors of MSW, in Node and behind a service worker of Chromium, and `mock.fetch`. */
export async function measureFaults(): Promise<Measurement[]> {
  const chromium = await launchChromium();
  try {
    const [inNode, inNode2, inPage, inPage2] = await Promise.all([
      observeInNode('msw'),
      observeInNode('msw-2'),
      observeInPage('msw', chromium),
      observeInPage('msw-2', chromium),
    ]);
    return [
      { place: `MSW ${versionOf('msw')} in Node`, seen: inNode.throughMsw },
      { place: `MSW ${versionOf('msw-2')} in Node`, seen: inNode2.throughMsw },
      { place: `MSW ${versionOf('msw')} in a service worker`, seen: inPage },
      { place: `MSW ${versionOf('msw-2')} in a service worker`, seen: inPage2 },
      { place: '`mock.fetch` in Node', seen: inNode.throughFetch },
    ];
  } finally {
    await chromium.close();
  }
}

type MswName = 'msw' | 'msw-2';

async function observeInNode(msw: MswName): Promise<{ throughMsw: string[]; throughFetch: string[] }> {
  const preload = msw === 'msw' ? [] : ['--import', join(import.meta.dirname, 'use-msw-2.mjs')];
  const program = join(import.meta.dirname, 'observe-in-node.ts');
  const { status, output } = await runRecipe([...preload, '--conditions=@memory-read/source', program]);
  if (status !== 0)
    throw new Error(`Failed to observe faults: the program ended with ${status}. See its output.\n${output}`);
  // Warnings may follow the first line.
  return JSON.parse(output.split('\n', 1).join());
}

/** Declared by the script of the page. */
declare const observe: () => Promise<string[]>;

async function observeInPage(msw: MswName, { browser }: LaunchedChromium): Promise<string[]> {
  await using site = await serveMockPage(msw, join(import.meta.dirname, 'observe-in-page.ts'));
  const page = await browser.newPage();
  await page.goto(site.url);
  // A string, because Vitest would rewrite an import inside a function.
  await page.evaluate("import('/page.js')");
  return page.evaluate(() => observe());
}

function versionOf(msw: MswName): string {
  const manifest = join(root, 'packages', 'msw', 'node_modules', msw, 'package.json');
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
