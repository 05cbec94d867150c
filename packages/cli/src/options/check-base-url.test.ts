import { expect, test } from 'vitest';
import { checkBaseUrl } from './check-base-url.ts';

test.each([
  ['http://api.test', 'http:// would send the key unencrypted to api.test'],
  ['https://ada:hush@api.test', 'it contains a user name or a password'],
  ['https://api.test?hush', 'it contains a query or a fragment'],
  ['https:hush', 'it does not begin with https://'],
  ['https://[hush', 'it is not a URL'],
])('rejects %j without repeating a secret', (text, reason) => {
  const message = expect.stringMatching(new RegExp(`^(?!.*hush)Failed to use the base URL: ${reason}\\. `));
  expect(() => checkBaseUrl(text, false)).toThrow(expect.objectContaining({ exitCode: 2, message }));
});
