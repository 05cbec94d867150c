import type { OutputOptions } from './output-options.ts';
import { visibleLine } from './visible-text.ts';

/** Prints a one-line note for people to standard error. With `--quiet`, it prints nothing. */
export function note(text: string, { process, quiet }: OutputOptions): void {
  if (quiet !== true) process.stderr.write(`${visibleLine(text)}\n`);
}
