import { isEncodedId } from './encode-id.ts';
import type { Receipt } from './receipt.ts';
import { isDigest } from './transcript-digest.ts';

/** Returns a copy of a receipt; undefined for anything else. Each field is read once, because a getter can change. */
export function readReceipt(value: unknown): Receipt | undefined {
  try {
    if (typeof value !== 'object' || value === null) return undefined;
    const own = (name: keyof Receipt): unknown =>
      Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    const receipt = {
      memory_id: own('memory_id'),
      transcript_digest: own('transcript_digest'),
      segments: readRange(own('segments')),
      chars: readRange(own('chars')),
      speaker: own('speaker'),
      start_ms: own('start_ms'),
      end_ms: own('end_ms'),
      quote: own('quote'),
      read_at: own('read_at'),
    };
    return isReceipt(receipt) ? receipt : undefined;
  } catch {
    return undefined;
  }
}

function isReceipt(receipt: Record<keyof Receipt, unknown>): receipt is Receipt & Record<keyof Receipt, unknown> {
  const { segments, chars, quote } = receipt;
  const texts = [receipt.memory_id, receipt.transcript_digest, receipt.speaker, receipt.read_at, quote];
  return (
    texts.every((text) => typeof text === 'string') &&
    isEncodedId(String(receipt.memory_id)) &&
    isDigest(receipt.transcript_digest) &&
    Number.isFinite(receipt.start_ms) &&
    Number.isFinite(receipt.end_ms) &&
    isRange(segments, 1) &&
    isRange(chars, 0) &&
    quote !== ''
  );
}

function readRange(value: unknown): unknown {
  return Array.isArray(value) && value.length === 2 ? [value[0], value[1]] : undefined;
}

/** The end of a range of segments is included, the end of a range of characters is not. */
function isRange(range: unknown, included: 0 | 1): boolean {
  if (!Array.isArray(range)) return false;
  const [from, to] = range;
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && from < to + included;
}
