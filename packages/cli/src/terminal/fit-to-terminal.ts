import type { CliProcess, OutputStream } from './cli-process.ts';

let fitLines: typeof import('./fit-lines.ts').fitLines | undefined;

/** Loads the code that wraps lines, which programs that read the output do not need. */
export async function prepareTerminal({ stdout, stderr }: CliProcess): Promise<void> {
  if (stdout.isTTY || stderr.isTTY) ({ fitLines } = await import('./fit-lines.ts'));
}

/** Wraps lines between words if the stream is a terminal. It would break them within words. */
export function fitToTerminal(text: string, { isTTY, columns }: OutputStream): string {
  return isTTY === true && columns && fitLines ? fitLines(text, columns) : text;
}
