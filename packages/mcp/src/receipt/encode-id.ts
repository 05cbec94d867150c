import { wellFormed } from '@memory-read/contract/visible-text';

/** Returns an id in the form of tools and receipts, which has no invisible character. */
export function encodeId(id: string): string {
  return encodeURIComponent(wellFormed(id));
}

/** Returns whether a text has the form of an encoded id. */
export function isEncodedId(text: string): boolean {
  try {
    return encodeId(decodeURIComponent(text)) === text;
  } catch {
    return false;
  }
}
