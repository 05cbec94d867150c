import type { OutputOptions } from './output-options.ts';
import { visibleLine } from './visible-text.ts';

/** Tells people on standard error what is no result, in one line; nothing with `--quiet`. */
export function note(text: string, { quiet }: OutputOptions): void {
  if (quiet !== true) process.stderr.write(`${visibleLine(text)}\n`);
}
