import type { CliProcess } from './cli-process.ts';
import { terminalWidth } from './terminal-width.ts';
import { visibleText } from './visible-text.ts';
import { wrapText } from './wrap-text.ts';

const longestLine = 100;

/** Returns the width of running text, which is hard to read in longer lines. */
export function widthOfText(process: CliProcess): number {
  return Math.min(terminalWidth(process), longestLine);
}

export function indented(mark: string, text: string, width: number): string[] {
  const lines = wrapText(visibleText(text), width - mark.length);
  return lines.map((line, index) => `${index === 0 ? mark : ' '.repeat(mark.length)}${line}`);
}
