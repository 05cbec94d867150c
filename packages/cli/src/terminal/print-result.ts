import { fitToTerminal } from './fit-to-terminal.ts';
import { jsonLine } from './json-line.ts';
import type { OutputOptions } from './output-options.ts';
import { print } from './print.ts';
import { visibleText } from './visible-text.ts';

/** Result of a command, for people and for programs. */
export interface Result {
  json: unknown;
  text: string;
}

/** Prints the result of a command. Returns false once the output is closed. */
export function printResult(
  result: Result,
  options: OutputOptions,
  signal?: AbortSignal | undefined,
): Promise<boolean> {
  return print(options.process, formatResult(result, options), signal);
}

/** Returns text on a terminal, and one line of JSON elsewhere. */
export function formatResult({ json, text }: Result, options: OutputOptions): string {
  return isForPeople(options) ? `${fitToTerminal(visibleText(text), options.process.stdout)}\n` : jsonLine(json);
}

/** Returns whether standard output is a terminal and `--json` is not given. */
export function isForPeople({ process, json }: OutputOptions): boolean {
  return process.stdout.isTTY === true && json !== true;
}

export function printsJsonOnTerminal({ process, json }: OutputOptions): boolean {
  return process.stdout.isTTY === true && json === true;
}
