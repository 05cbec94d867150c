/** The text without what looks like an API key, which may have been passed in place of anything. */
export function maskKeys(text: string): string {
  return text.replace(/mrk_[\w-]*/gi, 'mrk_…');
}
