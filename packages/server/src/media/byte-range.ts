/** Positions of the first and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The part of an object of `size` bytes that a `Range` header asks for.
 *
 * `undefined` means the whole: several ranges, an unknown unit and what is no range at all are to be ignored
 * (RFC 9110, section 14.2).
 */
export function parseByteRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(header ?? '');
  if (match === null) return undefined;
  const [, first, last, suffix] = match;
  return first === undefined ? suffixRange(Number(suffix), size) : integerRange(Number(first), last, size);
}

function integerRange(start: number, last: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const end = last ? Number(last) : Number.POSITIVE_INFINITY;
  if (end < start) return undefined;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}

function suffixRange(length: number, size: number): ByteRange | 'unsatisfiable' | undefined {
  if (length === 0) return 'unsatisfiable';
  // The last bytes of nothing are nothing, and no Content-Range can say so: the whole does.
  return size === 0 ? undefined : { start: Math.max(size - length, 0), end: size - 1 };
}
