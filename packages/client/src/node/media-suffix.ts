const suffixes: Record<string, readonly string[]> = {
  '.wav': ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
  '.mp3': ['audio/mpeg', 'audio/mp3'],
  '.m4a': ['audio/mp4', 'audio/m4a', 'audio/x-m4a'],
  '.ogg': ['audio/ogg', 'video/ogg', 'application/ogg'],
  '.webm': ['audio/webm', 'video/webm'],
  '.mp4': ['video/mp4'],
  '.png': ['image/png'],
  '.jpg': ['image/jpeg', 'image/jpg'],
  '.webp': ['image/webp'],
};

/** Returns the file extension of a media type; an empty text for an unknown one, so that no storage names a program. */
export function suffixOf(contentType: string | null): string {
  const type = contentType?.replace(/;.*/s, '').trim().toLowerCase() ?? '';
  return Object.keys(suffixes).find((suffix) => suffixes[suffix]?.includes(type)) ?? '';
}
