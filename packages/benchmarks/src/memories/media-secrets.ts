import type { MediaSecret } from '@memory-read/server';

/** No secrets: what they sign is never served. */
export const mediaSecrets: MediaSecret[] = [{ id: 'bench', secret: 'only-for-measurements-0123456789' }];
