/** Masks everything that looks like an API key: a user may have passed a key as any argument. */
export function maskKeys(text: string): string {
  return text.replace(/mrk_[\w-]*/gi, 'mrk_…');
}
