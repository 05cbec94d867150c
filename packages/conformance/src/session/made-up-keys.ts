import type { Settings } from '../conformance-options.ts';

/** Kind of an invalid key: an invented one, or `apiKey` with a change that a careless comparison misses. */
export type MadeUpKey = 'wrong' | 'nearly' | 'otherCase' | 'longer' | 'shorter';

/** Returns the invalid keys. One that equals a valid key is omitted. */
export function madeUpKeys({ apiKey = '', ...others }: Settings['keys']): Partial<Record<MadeUpKey, string>> {
  const made: Record<MadeUpKey, string> = {
    wrong: 'no-key-of-any-account',
    // base64 must not decode it to the same bits.
    nearly: apiKey.slice(0, -1) + (/[A-D]$/.test(apiKey) ? 'w' : 'A'),
    otherCase: apiKey.replace(/[a-z]/gi, turnCase),
    longer: `${apiKey}x`,
    shorter: apiKey.slice(0, -1),
  };
  const keys = new Set([apiKey, '', ...Object.values(others)]);
  return Object.fromEntries(Object.entries(made).filter(([, key]) => !keys.has(key)));
}

function turnCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}
