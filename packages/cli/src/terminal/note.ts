import type { CliProcess } from './cli-process.ts';
import { fitToTerminal } from './fit-to-terminal.ts';
import { maskKeys } from './mask-keys.ts';
import type { OutputOptions } from './output-options.ts';
import { visibleLine } from './visible-text.ts';

/** Prints a one-line note for people to standard error. With `--quiet`, it prints nothing. */
export function note(text: string, { process, quiet }: OutputOptions): void {
  if (quiet !== true) printMessage(process, text);
}

/** Prints a message to standard error: one line, which a terminal shows wrapped between words. */
export function printMessage(process: CliProcess, text: string): void {
  const { stderr } = process;
  stderr.write(`${fitToTerminal(maskKeys(process, visibleLine(text)), stderr)}\n`);
}
