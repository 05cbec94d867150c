import { maskKeys } from './mask-keys.ts';

/** The text without API keys and without what follows the `?` of a URL, which may be a signature. */
export function redact(text: string): string {
  return maskKeys(text).replace(/(\b[a-z][\w+.-]*:\/\/[^\s?"'`<>]*)\?[^\s"'`<>]*/gi, '$1?…');
}
