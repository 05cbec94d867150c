/** Positions of the first and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Returns the requested part of an object of `size` bytes.
 *
 * `undefined` means the whole object: several ranges, an unknown unit and an invalid range are ignored (RFC 9110,
 * section 14.2).
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
  // An empty object has no last bytes, and no Content-Range can describe them, so the whole object is sent.
  return size === 0 ? undefined : { start: Math.max(size - length, 0), end: size - 1 };
}
