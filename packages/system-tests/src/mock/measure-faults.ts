import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { launchChromium } from '../runtimes/browser/launch-chromium.ts';
import { type MswName, runInNode, useMockPage } from './run-mock.ts';

/** Observations of each case of `faultCases` in one environment. */
export interface Measurement {
  /** Such as `MSW 3.0.5, Node`. */
  place: string;
  seen: string[];
}

/** Declared by the script of the page. */
declare const observe: () => Promise<string[]>;

/** Observations in each environment, and those of `serverFaultCases` on a mock server. */
export interface Measurements {
  places: Measurement[];
  fromServer: string[];
}

/** Both majors of MSW, in Node and behind a service worker of Chromium, `mock.fetch`, and a mock server. */
export async function measureFaults(): Promise<Measurements> {
  const chromium = await launchChromium();
  const inNode = (msw: MswName) =>
    runInNode<Record<'throughMsw' | 'throughFetch' | 'fromServer', string[]>>(
      msw,
      join(import.meta.dirname, 'observe-in-node.ts'),
    );
  const inPage = (msw: MswName) =>
    useMockPage(chromium.browser, msw, join(import.meta.dirname, 'observe-in-page.ts'), (page) =>
      page.evaluate(() => observe()),
    );
  try {
    const [node, node2, page, page2] = await Promise.all([
      inNode('msw'),
      inNode('msw-2'),
      inPage('msw'),
      inPage('msw-2'),
    ]);
    const places = [
      { place: `MSW ${versionOf('msw')} in Node`, seen: node.throughMsw },
      { place: `MSW ${versionOf('msw-2')} in Node`, seen: node2.throughMsw },
      { place: `MSW ${versionOf('msw')} in a service worker`, seen: page },
      { place: `MSW ${versionOf('msw-2')} in a service worker`, seen: page2 },
      { place: '`mock.fetch` in Node', seen: node.throughFetch },
    ];
    return { places, fromServer: node.fromServer };
  } finally {
    await chromium.close();
  }
}

function versionOf(msw: MswName): string {
  const manifest = join(root, 'packages', 'msw', 'node_modules', msw, 'package.json');
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
