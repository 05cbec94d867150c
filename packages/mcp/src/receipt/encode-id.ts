import { wellFormed } from './well-formed.ts';

/** Returns an id as tools and receipts show it. It has no invisible character. */
export function encodeId(id: string): string {
  return encodeURIComponent(wellFormed(id));
}
