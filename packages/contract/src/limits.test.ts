import { expect, test } from 'vitest';
import { API_DOCUMENT_VERSION, MEDIA_URL_LIFETIME_SECONDS } from './limits.ts';

test('the limits are those of sections 8 and 9 of the specification', () => {
  expect(MEDIA_URL_LIFETIME_SECONDS).toBe(60 * 60);
  expect(API_DOCUMENT_VERSION).toBe('0.1.0');
});
