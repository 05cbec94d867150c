import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { statementsOfSpecification } from '../../conformance/statements.ts';
import { groups } from './groups.ts';

test('no two requests of the suite have the same title, and there are several hundred', () => {
  const titles = groups.flatMap(({ cases }) => cases.map(({ title }) => title));
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  expect(titles.length).toBeGreaterThan(400);
});

test('what the answers of a group were read against exists', () => {
  const statements = statementsOfSpecification();
  const isStatement = (name: string) => statements.some((id) => id === name || id.startsWith(`${name} `));
  const isPage = (name: string) => existsSync(join(root, 'docs', 'decisions', `${name}.md`));
  expect(groups.flatMap(({ says }) => says).filter((name) => !isStatement(name) && !isPage(name))).toEqual([]);
});
