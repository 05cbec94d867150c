import { styleText } from 'node:util';
import type { CliProcess, OutputStream } from './cli-process.ts';

type Format = Parameters<typeof styleText>[0];

/** Conditions for coloured output. */
export interface StyleEnvironment {
  stream: { isTTY?: boolean | undefined };
  env: Readonly<Record<string, string | undefined>>;
}

/** Colours the text if the stream supports colours. */
export function style(
  { stdout, env }: CliProcess,
  format: Format,
  text: string,
  stream: OutputStream = stdout,
): string {
  return hasColors({ stream, env }) ? styleText(format, text, { validateStream: false }) : text;
}

/** Returns true for a terminal with colours and with `FORCE_COLOR`, and false with `NO_COLOR`. */
export function hasColors({ stream, env }: StyleEnvironment): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Returns the lines of a table, with their ends and a bold heading. */
export function styleHeading(process: CliProcess, table: Iterable<string>): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      let isHeading = true;
      for (const line of table) {
        yield `${isHeading ? style(process, 'bold', line) : line}\n`;
        isHeading = false;
      }
    },
  };
}
