import type { Settings } from '../conformance-options.ts';

/** What a key is that no account has: made up, or `apiKey` with a change that a careless comparison does not see. */
export type MadeUpKey = 'wrong' | 'nearly' | 'otherCase' | 'longer' | 'shorter';

/** The keys that can be made; one that would be a key after all is left out. */
export function madeUpKeys({ apiKey = '', ...others }: Settings['keys']): Partial<Record<MadeUpKey, string>> {
  const made: Record<MadeUpKey, string> = {
    wrong: 'no-key-of-any-account',
    // One that base64 does not decode to the same bits.
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
