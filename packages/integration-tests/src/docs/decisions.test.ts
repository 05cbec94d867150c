import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';

const pages = globSync('docs/decisions/*.md', { cwd: root }).filter((path) => !path.endsWith('/README.md'));

test.each(pages)('%s states below its title when it was decided', (path) => {
  const [title, , decided] = readFileSync(join(root, path), 'utf8').split('\n');
  expect(title).toMatch(/^# \S/);
  const [, day = ''] = /^Decided on (\d{4}-\d{2}-\d{2})\.$/.exec(decided ?? '') ?? [];
  // A date that does not exist is parsed as an invalid date or as another day.
  expect(new Date(`${day}T00:00:00Z`).toISOString()).toBe(`${day}T00:00:00.000Z`);
});

test('the index of decisions lists every page, and no other', () => {
  const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
  const listed = Array.from(index.matchAll(/^\| \[.+?\]\((.+?)\)/gm), ([, page]) => page);
  expect(listed.sort()).toEqual(pages.map((path) => basename(path)).sort());
});
