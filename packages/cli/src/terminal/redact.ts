import type { CliProcess } from './cli-process.ts';
import { maskKeys } from './mask-keys.ts';

/** Returns the text without API keys and without the queries of URLs, which may be signatures. */
export function redact(process: CliProcess, text: string): string {
  return maskKeys(process, text).replace(/(\b[a-z][\w+.-]*:\/\/[^\s?"'`<>]*)\?[^\s"'`<>]*/gi, '$1?…');
}
