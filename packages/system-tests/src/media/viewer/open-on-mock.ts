import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createMemoryMock, type MemoryMockOptions } from '@memory-read/msw';
import type { Browser } from 'playwright-core';
import { watchPage } from './watch-page.ts';

const origin = 'https://viewer.example';
const contentTypes = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export type ViewerOnMock = Awaited<ReturnType<typeof openOnMock>>;

/** Opens a page for the built viewer. A mock in this process serves its API and media. */
export async function openOnMock(browser: Browser, dist: string, options: MemoryMockOptions = {}) {
  const page = await browser.newPage({ locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  const mock = createMemoryMock({ ...options, baseUrl: `${origin}/api`, auth: 'none' });
  await page.route(`${origin}/**`, async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/')) return route.fulfill(fileOf(dist, pathname));
    const { range = '', ...others } = request.headers();
    // Playwright needs the whole body, so a player gets a recording of hours in parts.
    const part = range.replace(/^bytes=(\d+)-$/, (open, start) => `${open}${Number(start) + 262_143}`);
    const init = { method: request.method(), headers: { ...others, ...(part && { range: part }) } };
    const response = await mock.fetch(request.url(), init).catch(() => undefined);
    if (response === undefined) return route.abort();
    const { status, headers } = response;
    return route.fulfill({
      status,
      headers: Object.fromEntries(headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
  return {
    page,
    mock,
    /** What the page printed or threw, and requests to other hosts. */
    problems: watchPage(page, [origin]),
    /** Opens the list, or a memory. */
    open: async (memoryId?: string) => {
      await page.goto(`${origin}/${memoryId === undefined ? '' : `#/${encodeURIComponent(memoryId)}`}`);
    },
    [Symbol.asyncDispose]: () => page.close(),
  };
}

function fileOf(dist: string, pathname: string): { body: Buffer; contentType: string } {
  const path = join(dist, pathname === '/' ? 'index.html' : pathname);
  const contentType = contentTypes[extname(path) as keyof typeof contentTypes] ?? 'text/plain';
  return { body: readFileSync(path), contentType };
}
