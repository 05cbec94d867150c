import type { Page } from 'playwright-core';

/** Collects what a page must not do: print, throw, or send requests to other hosts. */
export function watchPage(page: Page, allowedOrigins: readonly string[], allowedOutput = /^$/): string[] {
  const problems: string[] = [];
  page.on('console', (message) => void (allowedOutput.test(message.text()) || problems.push(message.text())));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'blob:' && !allowedOrigins.includes(origin)) problems.push(`asked ${origin}`);
  });
  return problems;
}
