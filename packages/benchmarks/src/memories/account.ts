import { createHmacMediaSigner } from '@memory-read/server';

/** Whose memories they are, in every store. */
export const userId = 'user_1';

/** No secret: the stores live as long as a measurement. */
export const apiKey = 'mrk_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';

export const authorization = `Bearer ${apiKey}`;

/** The signer of every server whose media are never read. */
export const mediaSigner = createHmacMediaSigner({
  baseUrl: 'http://127.0.0.1/media',
  secrets: [{ id: 'bench', secret: 'only-for-measurements-0123456789' }],
});
