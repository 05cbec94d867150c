import { createHmacMediaSigner } from '@memory-read/server';
import { mediaSecrets } from '../memories/account.ts';

/** The signer of every server whose media are never read. */
export const mediaSigner = createHmacMediaSigner({ baseUrl: 'http://127.0.0.1/media', secrets: mediaSecrets });
