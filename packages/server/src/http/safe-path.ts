const maximumLength = 512;

/**
 * The path of a request's target as it may be shown: without query, host and credentials.
 *
 * A key of this server that was put into the path is masked, and what looks like a query that was encoded into it, such
 * as that of a signed URL, is cut off: in any spelling, because the caller who makes such a mistake chooses it.
 */
export function safePathOf(target: string): string {
  const [path = ''] = target.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  const decoded = decodeFully(path);
  if (decoded === undefined) return '/…';
  const shown = hidden.test(decoded) ? decoded : path;
  // Bytes that are no visible character could rewrite the reader's terminal.
  const visible = shown.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  const safe = visible.replace(/[?#&;].*/, '…').replace(/mrk_[\w-]*/gi, 'mrk_…');
  return safe.length > maximumLength ? `${safe.slice(0, maximumLength)}…` : safe;
}

const hidden = /mrk_|[?#&;]/i;
const decodingPasses = 4;

/** Escapes of escapes too, byte by byte; nothing where there is no end to them. */
function decodeFully(path: string): string | undefined {
  let decoded = path;
  for (let pass = 0; pass < decodingPasses; pass += 1) {
    const next = decoded.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (next === decoded) return decoded;
    decoded = next;
  }
  return undefined;
}
