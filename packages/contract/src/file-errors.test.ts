import { expect, test } from 'vitest';
import { unlessRefused } from './file-errors.ts';

const failure = (fields: object) => Object.assign(new Error('failed'), fields);

test.each([{ code: 'EPERM' }, { code: 'ENOTSUP' }, { code: 'ERR_ACCESS_DENIED' }, { name: 'NotCapable' }])(
  'a step that is refused with %j is left out, now or later',
  async (fields) => {
    const refuse = () => {
      throw failure(fields);
    };
    expect(unlessRefused(refuse)).toBeUndefined();
    expect(await unlessRefused(async () => refuse())).toBeUndefined();
  },
);

test.each([{ code: 'EIO' }, { code: 'ENOSPC' }, {}])('a failure with %j is thrown, now or later', async (fields) => {
  const fail = () => {
    throw failure(fields);
  };
  expect(() => unlessRefused(fail)).toThrow('failed');
  await expect(unlessRefused(async () => fail())).rejects.toThrow('failed');
});

test('the result of a step is returned', async () => {
  expect(unlessRefused(() => 1)).toBe(1);
  expect(await unlessRefused(async () => 2)).toBe(2);
});
