import { print } from './print.ts';

/** What a command found, for people and for programs. */
export interface Result {
  json: unknown;
  text: string;
}

interface OutputOptions {
  json?: boolean | undefined;
}

/** Prints what a command found. */
export function printResult(result: Result, options: OutputOptions): Promise<void> {
  return print(formatResult(result, options));
}

/** Text for people on a terminal, one line of JSON for programs. */
export function formatResult({ json, text }: Result, options: OutputOptions): string {
  return `${isForPeople(options) ? text : JSON.stringify(json)}\n`;
}

/** Whether standard output is read by people: a terminal, unless `--json` is given. */
export function isForPeople({ json }: OutputOptions = {}): boolean {
  return process.stdout.isTTY === true && json !== true;
}
