/**
 * Returns a digest of a text: 53 bits in at most 11 characters, so that two texts hardly ever share one.
 *
 * It is not cryptographic: `crypto.subtle` is missing on plain HTTP.
 */
export function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = mix(high, low, 0x85ebca6b);
  low = mix(low, high, 0xc2b2ae35);
  return ((high >>> 11) * 2 ** 32 + (low >>> 0)).toString(36);
}

function mix(one: number, other: number, factor: number): number {
  return Math.imul(one ^ (one >>> 16), factor) ^ Math.imul(other ^ (other >>> 13), 0x27d4eb2f);
}
