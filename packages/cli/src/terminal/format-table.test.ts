import { expect, test } from 'vitest';
import { formatTable } from './format-table.ts';

test('columns are as wide as their widest cell, and no line ends in spaces', () => {
  expect(
    formatTable([
      ['ID', 'STATUS'],
      ['key_123', 'active'],
      ['k', ''],
    ]),
  ).toBe('ID       STATUS\nkey_123  active\nk');
});
