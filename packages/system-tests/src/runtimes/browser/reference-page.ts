import type { Browser, Locator, Page } from 'playwright-core';

export interface OpenedPage {
  page: Page;
  /** What the console said, what was thrown, and the URLs of requests to other origins. */
  problems: string[];
  /** Every URL that was asked for. */
  urls: string[];
}

/** Opens the reference page in a context of its own and keeps book of what it does. */
export async function openReferencePage(browser: Browser, url: string): Promise<OpenedPage> {
  const page = await browser.newPage();
  const problems: string[] = [];
  const urls: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    urls.push(request.url());
    if (new URL(request.url()).origin !== new URL(url).origin) problems.push(request.url());
  });
  await page.goto(url);
  return { page, problems, urls };
}

export function formOf(page: Page, operationId: string): Locator {
  return page.getByRole('form', { name: `Try ${operationId}` });
}

export function keyField(page: Page, operationId: string): Locator {
  return formOf(page, operationId).getByLabel('API key');
}

export async function send(page: Page, operationId: string): Promise<void> {
  await formOf(page, operationId).getByRole('button', { name: 'Send' }).click();
}

/** Waits until the form says so. */
export async function statusOf(form: Locator, expected: RegExp): Promise<void> {
  await form.getByRole('status').filter({ hasText: expected }).waitFor();
}
