import type { Browser, Locator, Page } from 'playwright-core';
import { watchPage } from '../../media/viewer/watch-page.ts';

export interface OpenedPage {
  page: Page;
  /** Console messages, errors, and requests to other origins. */
  problems: string[];
  /** All requested URLs. */
  urls: string[];
}

/** Opens the reference page in its own context and records what it does. */
export async function openReferencePage(browser: Browser, url: string): Promise<OpenedPage> {
  const page = await browser.newPage();
  const problems = watchPage(page, [new URL(url).origin]);
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
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

/** Waits until the form shows this text. */
export async function statusOf(form: Locator, expected: RegExp): Promise<void> {
  await form.getByRole('status').filter({ hasText: expected }).waitFor();
}
