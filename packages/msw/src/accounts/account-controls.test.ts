import { expect, test } from 'vitest';
import { createMemoryMock } from '../create-memory-mock.ts';

const statusFor = async (mock: ReturnType<typeof createMemoryMock>, apiKey: string) => {
  const response = await mock.fetch(`${mock.baseUrl}/v1/memories`, { headers: { 'x-api-key': apiKey } });
  return [response.status, response.ok ? (await response.json()).length : (await response.json()).detail];
};

test('an account has its own key, and no memories of another account', async () => {
  const mock = createMemoryMock();
  const { userId, apiKey } = mock.accounts.add();
  expect(apiKey).toMatch(/^mrk_[0-9a-f]{43}$/);
  expect(await statusFor(mock, apiKey)).toEqual([200, 0]);
  mock.memories.add({}, { userId });
  expect(await statusFor(mock, apiKey)).toEqual([200, 1]);
  expect(await statusFor(mock, mock.apiKey)).toEqual([200, 12]);
});

test('ids and keys can be chosen, and an account can have several keys', async () => {
  const mock = createMemoryMock();
  expect(mock.accounts.add({ userId: 'ada', apiKey: 'k1' })).toEqual({ userId: 'ada', apiKey: 'k1' });
  const { apiKey } = mock.accounts.add({ userId: 'ada' });
  mock.memories.add({}, { userId: 'ada' });
  for (const key of ['k1', apiKey]) expect(await statusFor(mock, key)).toEqual([200, 1]);
  mock.accounts.deactivateKey('k1');
  expect(await statusFor(mock, 'k1')).toEqual([401, 'Invalid API key']);
  expect(await statusFor(mock, apiKey)).toEqual([200, 1]);
});

test.each([
  [{ userId: '' }, 'userId is empty'],
  [{ userId: 7 }, 'userId is 7, which is not a string. Pass a string, or leave it out.'],
  [{ apiKey: 5 }, 'apiKey is not a string'],
  [{ userID: 'ada' }, 'the option "userID" is not supported. Use one of: userId, apiKey.'],
  [null, 'the account argument is null, which is not an object'],
  ['secret', 'the account argument is a string, which is not an object'],
  [{ apiKey: '' }, 'apiKey is empty or contains an invalid character'],
  [{ apiKey: 'secret key' }, 'apiKey is empty or contains an invalid character'],
  [{ apiKey: 'secret,key' }, 'apiKey is empty or contains an invalid character'],
  [{ apiKey: 'secretñ' }, 'apiKey is empty or contains an invalid character'],
])('rejects the account %j without repeating its key', (account, message) => {
  const { accounts } = createMemoryMock();
  expect(() => accounts.add(account as object)).toThrow(message);
  expect(() => accounts.add(account as object)).not.toThrow('secret');
});

test('a key belongs to one account', () => {
  const { accounts, apiKey } = createMemoryMock();
  expect(() => accounts.add({ apiKey })).toThrow('apiKey already belongs to an account');
});

test('rejects deactivating an unknown key, without repeating it', () => {
  const { accounts } = createMemoryMock();
  const deactivate = () => accounts.deactivateKey('mrk_real');
  expect(deactivate).toThrow('Failed to deactivate an API key: no account of this mock has this key.');
  expect(deactivate).not.toThrow('mrk_real');
});
