import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type CountedRun, countDownloads } from './counting-registry.ts';
import { createFreshClone, outputIn } from './fresh-clone.ts';

const minutes = 60_000;
const clone = createFreshClone();
afterAll(() => clone.remove());

const megabytes = (run: CountedRun<unknown>) => Number((run.bytes / 1e6).toFixed(1));

test(
  'the website and the viewer install neither the test runner nor the linter',
  async () => {
    for (const profile of ['docs', 'view']) {
      const run = await countDownloads(clone, () => outputIn(clone, profileCommand(profile)));
      console.log(`the profile ${profile} downloads ${megabytes(run)} MB more`);
    }
    expect(installed(/^(vitest|@biomejs\+biome)@/)).toEqual([]);
    expect(installed(/^typedoc@/)).not.toEqual([]);
    expect(installed(/^vite@/)).not.toEqual([]);
  },
  15 * minutes,
);

test(
  'npm test downloads at most 300 MB, one Node, and no other runtime or test runner',
  async () => {
    using other = { clone: createFreshClone(), [Symbol.dispose]: () => other.clone.remove() };
    const run = await countDownloads(other.clone, () => outputIn(other.clone, profileCommand('test')));
    console.log(`npm test downloads ${megabytes(run)} MB`);
    expect(megabytes(run)).toBeGreaterThan(20);
    expect(megabytes(run)).toBeLessThanOrEqual(300);
    const names = readdirSync(join(other.clone.folder, 'node_modules/.pnpm'));
    expect(names.filter((name) => /^(bun|deno|workerd|storybook|jest)@/.test(name))).toEqual([]);
    expect(names.filter((name) => /^node-(bin-)?(linux|darwin|win)/.test(name))).toHaveLength(1);

    expect(await outputIn(other.clone, ['npm', 'start', '--', '--help'], { env: { CI: 'true' } })).toContain('serve');
    expect(existsSync(join(other.clone.folder, 'node_modules/vitest')), 'npm start removes nothing').toBe(true);
    const tested = await outputIn(other.clone, ['npm', 'run', 'test:unit', '--', 'packages/contract'], {
      offline: true,
    });
    expect(tested).toMatch(/Tests .*\d+ passed/);
    expect(tested).not.toMatch(/failed/);
  },
  15 * minutes,
);

function profileCommand(profile: string): string[] {
  return ['node', 'scripts/run.mjs', profile, 'node', '--version'];
}

function installed(pattern: RegExp): string[] {
  return readdirSync(join(clone.folder, 'node_modules/.pnpm')).filter((name) => pattern.test(name));
}
