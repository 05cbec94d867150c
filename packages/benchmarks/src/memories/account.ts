import type { MediaSecret } from '@memory-read/server';

/** Whose memories they are, in every store. */
export const userId = 'user_1';

/** No secret: the stores live as long as a measurement. */
export const apiKey = 'mrk_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';

export const authorization = `Bearer ${apiKey}`;

/** No secrets: what they sign is never served. */
export const mediaSecrets: MediaSecret[] = [{ id: 'bench', secret: 'only-for-measurements-0123456789' }];
