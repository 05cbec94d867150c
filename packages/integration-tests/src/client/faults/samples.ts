import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';

/** A secret that no error, event or log may contain. */
export const apiKey = 'mrk_KEYSECRET_0123456789';

/** The query that makes a signed URL work. */
export const signedQuery = 'expires=1&signature=URLSECRET';

/** A URL that works without an API key, and is therefore secret. */
export const signedUrl = `https://media.example.com/a.wav?${signedQuery}`;

/** An error that repeats the key and a signed URL. */
export const repeating = { detail: `Cannot serve Bearer ${apiKey} with ${signedUrl}` };

/** A memory as an item of a list, with some fields changed or added. */
export const sampleMemory = sampleListedMemory;
