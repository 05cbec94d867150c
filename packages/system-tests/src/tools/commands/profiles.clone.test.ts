import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { useChromium } from '../../runtimes/browser/use-chromium.ts';
import { countDownloads } from './counting-registry.ts';
import { createFreshClone, outputIn, runIn } from './fresh-clone.ts';

// An installation takes minutes.
vi.setConfig({ testTimeout: 900_000 });

const clone = createFreshClone(afterAll);
const chromium = useChromium();

test('npm run viewer shows a memory with no more than it installs', async () => {
  const viewer = runIn(clone, ['npm', 'run', '-s', 'viewer']);
  let printed = '';
  for await (const chunk of viewer.stdout.setEncoding('utf8')) {
    printed += chunk;
    if (printed.includes('Ctrl+C')) break;
  }
  const page = await chromium().browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  await page.goto(/http:\S+/.exec(printed)?.[0] ?? 'about:blank');
  await page
    .getByRole('heading', { name: 'A burst pipe and a promise' })
    .waitFor()
    .catch((error: unknown) => problems.push(String(error)));
  viewer.kill('SIGTERM');
  expect(problems).toEqual([]);
});

test('the website and the viewer install neither the test runner nor the linter', async () => {
  for (const profile of ['docs', 'view']) await outputIn(clone, profileCommand(profile));
  expect(installed(/^(vitest|@biomejs\+biome)@/)).toEqual([]);
  expect(installed(/^typedoc@/)).not.toEqual([]);
  expect(installed(/^vite@/)).not.toEqual([]);
});

test('npm test downloads at most 300 MB, one Node, and no other runtime or test runner', async () => {
  const other = createFreshClone();
  const { bytes } = await countDownloads(other, () => outputIn(other, profileCommand('test')));
  expect(bytes).toBeGreaterThan(20e6);
  expect(bytes).toBeLessThanOrEqual(300e6);
  const names = readdirSync(join(other.folder, 'node_modules/.pnpm'));
  expect(names.filter((name) => /^(bun|deno|workerd|storybook|jest)@/.test(name))).toEqual([]);
  expect(names.filter((name) => /^node-(bin-)?(linux|darwin|win)/.test(name))).toHaveLength(1);

  expect(await outputIn(other, ['npm', 'start', '--', '--help'], { env: { CI: 'true' } })).toContain('serve');
  expect(existsSync(join(other.folder, 'node_modules/vitest')), 'npm start removes nothing').toBe(true);
  const tested = await outputIn(other, ['npm', 'run', 'test:unit', '--', 'packages/contract'], {
    offline: true,
  });
  expect(tested).toMatch(/Tests .*\d+ passed/);
  expect(tested).not.toMatch(/failed/);
});

function profileCommand(profile: string): string[] {
  return ['node', 'scripts/run.mjs', profile, 'node', '--version'];
}

function installed(pattern: RegExp): string[] {
  return readdirSync(join(clone.folder, 'node_modules/.pnpm')).filter((name) => pattern.test(name));
}
