import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createMemoryMock, type MemoryMock } from '@memory-read/msw';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { watchPage } from './watch-page.ts';

const origin = 'https://viewer.example';
const contentTypes = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** The built viewer in its own page. A mock in this process serves its API and media. */
export interface ViewerOnMock extends AsyncDisposable {
  page: Page;
  mock: MemoryMock;
  /** What the page printed or threw, and requests to other hosts. */
  problems: string[];
  /** Statuses of the responses to media requests. */
  mediaStatuses: number[];
  /** Opens the list, or a memory. */
  open(memoryId?: string): Promise<void>;
}

export async function openOnMock(
  browser: Browser,
  { dist, ...options }: { dist: string } & BrowserContextOptions,
): Promise<ViewerOnMock> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
  const page = await context.newPage();
  const mock = createMemoryMock({ baseUrl: `${origin}/api`, auth: 'none' });
  const mediaStatuses: number[] = [];
  await page.route(`${origin}/**`, async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/')) return route.fulfill(fileOf(dist, pathname));
    const init = { method: request.method(), headers: request.headers() };
    const response = await mock.fetch(request.url(), init).catch(() => undefined);
    if (response === undefined) return route.abort();
    const { status, headers } = response;
    if (pathname.startsWith('/api/media/')) mediaStatuses.push(status);
    return route.fulfill({
      status,
      headers: Object.fromEntries(headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
  return {
    page,
    mock,
    mediaStatuses,
    problems: watchPage(page, [origin]),
    open: async (memoryId) => {
      await page.goto(`${origin}/${memoryId === undefined ? '' : `#/${encodeURIComponent(memoryId)}`}`);
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

function fileOf(dist: string, pathname: string): { body: Buffer; contentType: string } {
  const path = join(dist, pathname === '/' ? 'index.html' : pathname);
  const contentType = contentTypes[extname(path) as keyof typeof contentTypes] ?? 'text/plain';
  return { body: readFileSync(path), contentType };
}
