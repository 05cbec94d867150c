import { sampleMedia } from '@memory-read/fixtures';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type LaunchedChromium, launchChromium } from './launch-chromium.ts';
import { type Site, type SiteFile, serveSite } from './serve-site.ts';

/** Provides a browser for the tests of a file. */
export function useChromium(): () => LaunchedChromium {
  let chromium: LaunchedChromium;
  beforeAll(async () => {
    chromium = await launchChromium();
  });
  afterAll(() => chromium?.close());
  return () => chromium;
}

/** Whether the page has a dark background. Runs inside Chromium. */
export function isDark(): boolean {
  const shades = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? [];
  return shades.every((shade) => Number(shade) < 64);
}

/** Provides a page for the tests of a file, on a site with the sample media by their kind. */
export function useMediaPage(): () => Page {
  const chromium = useChromium();
  let site: Site;
  let page: Page;
  beforeAll(async () => {
    site = await serveSite(findSample);
    page = await chromium().browser.newPage();
    await page.goto(site.url);
  });
  afterAll(() => site?.[Symbol.asyncDispose]());
  return () => page;
}

function findSample(path: string): SiteFile {
  if (!/^\/(audio|video|preview_image)$/.test(path)) return ['text/html', '<!doctype html>'];
  const { contentType, bytes } = sampleMedia(path.slice(1) as 'audio' | 'video' | 'preview_image');
  return [contentType, bytes];
}
