import { expect, test } from 'vitest';
import { missingPages, pageGroups, unlisted } from './pages.ts';

test('every guide has a place in the navigation, and every listed page exists', () => {
  expect(pageGroups().find(({ title }) => title === unlisted)?.pages ?? []).toEqual([]);
  expect(missingPages()).toEqual([]);
});
