import { recordedMedia } from '@memory-read/fixtures';
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

/** Provides a page for the tests of a file, on a site with recordings at `/KIND/SECONDS`. */
export function useMediaPage(): () => Page {
  const chromium = useChromium();
  let site: Site;
  let page: Page;
  beforeAll(async () => {
    site = await serveSite(findRecording);
    page = await chromium().browser.newPage();
    await page.goto(site.url);
  });
  afterAll(() => site?.[Symbol.asyncDispose]());
  return () => page;
}

function findRecording(path: string): SiteFile {
  const [, kind, seconds] = /^\/(audio|video|preview_image)\/([\d.]+)$/.exec(path) ?? [];
  if (kind === undefined) return ['text/html', '<!doctype html>'];
  const memory = { started_at: '2026-03-01T12:00:00Z', duration_seconds: Number(seconds), transcript: null };
  const { contentType, read } = recordedMedia(memory, kind as 'audio' | 'video' | 'preview_image');
  return [contentType, read()];
}
