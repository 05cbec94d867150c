import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { runtimes } from './runtimes.ts';

test('the guide to runtimes names those that the tests run, in their versions', () => {
  const manifest = readFileSync(join(root, 'packages/system-tests/package.json'), 'utf8');
  const chromium = JSON.parse(manifest).devDependencies['@sparticuz/chromium'];
  const guide = readFileSync(join(root, 'docs/guides/runtimes.md'), 'utf8');
  const rows = Array.from(guide.matchAll(/^\| ([^|]+) \| ([\d.]+)/gm), ([, name, version]) => `${name} ${version}`);
  expect(rows).toEqual([...runtimes.map(({ name, version }) => `${name} ${version}`), `Chromium ${chromium}`]);
});
