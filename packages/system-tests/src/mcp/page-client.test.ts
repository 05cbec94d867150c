import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { createLiveSource } from '@memory-read/mcp';
import { serveMcpHttp } from '@memory-read/mcp/node';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { serveSite } from '../runtimes/browser/serve-site.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';

const chromium = useChromium();
const mock = createMemoryMock({ memories: [] });
mock.memories.add();
const token = 'token-of-16-character';
const { outputFiles } = await build({
  entryPoints: [join(import.meta.dirname, 'page-client.browser.ts')],
  bundle: true,
  format: 'iife',
  conditions: ['browser'],
  write: false,
});
const page = `<!doctype html><script>${outputFiles[0]?.text.replaceAll('</script', '<\\/script')}</script>`;
const allowed = await serveSite(() => ['text/html', page]);
const other = await serveSite(() => ['text/html', page]);
afterAll(() => Promise.all([allowed[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]));
const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
const server = await serveMcpHttp({ source: createLiveSource(client), token, allowedOrigins: [allowed.url] });
afterAll(() => server.close());

test.each([
  ['of an allowed origin calls a tool', allowed.url, token, { total: 1 }],
  ['of an allowed origin reads that its token is wrong', allowed.url, 'another-token-of-22', /401|Unauthorized/i],
  ['of another origin reaches no tool', other.url, token, /Failed to fetch/],
])('in Chromium, a page %s', async (_, origin, sent, expected) => {
  await using context = await chromium().browser.newContext();
  const opened = await context.newPage();
  await opened.goto(origin);
  const result = await opened.evaluate(
    // biome-ignore lint/suspicious/noExplicitAny: the script of the page defines it.
    (given) => (globalThis as any).callFromPage(given),
    { url: server.url, token: sent },
  );
  if (expected instanceof RegExp) expect(result).toMatch(expected);
  else expect(result).toMatchObject(expected);
});
