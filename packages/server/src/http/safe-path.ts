/**
 * Returns the path of a request for logs, without query, host and credentials.
 *
 * A key of this server in the path is masked. An encoded query, such as that of a signed URL, is cut off. Both are
 * found in every encoding, because the caller who makes such a mistake chooses the encoding.
 */
export function safePathOf(target: string): string {
  const [path = ''] = target.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  const decoded = decodeFully(path);
  if (decoded === undefined) return '/…';
  const shown = hidden.test(decoded) ? decoded : path;
  // Bytes that are not visible characters could control the terminal of the reader.
  const visible = shown.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  const safe = visible.replace(/[?#&;].*/, '…').replace(/mrk_[\w-]*/gi, 'mrk_…');
  return safe.replace(/(?<=^.{512}).+/, '…');
}

const hidden = /mrk_|[?#&;]/i;
const decodingPasses = 4;

/** Decodes repeated encodings byte by byte. Returns `undefined` if there are more than four. */
function decodeFully(path: string): string | undefined {
  let decoded = path;
  for (let pass = 0; pass < decodingPasses; pass += 1) {
    const next = decoded.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (next === decoded) return decoded;
    decoded = next;
  }
  return undefined;
}
