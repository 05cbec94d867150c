import type { CliProcess } from '../terminal/cli-process.ts';
import { displayWidth, fitText } from '../terminal/fit-text.ts';
import { fitToTerminal } from '../terminal/fit-to-terminal.ts';
import { style } from '../terminal/style.ts';
import { terminalWidth } from '../terminal/terminal-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/** With fewer columns, a name has a line of its own. */
const narrowestName = 8;

const colours = {
  added: 'cyan',
  processed: 'green',
  changed: 'yellow',
  missing: 'red',
  delivered: 'green',
  retrying: 'yellow',
  parked: 'red',
  stopped: 'red',
} as const;

/** A line for people: the time, words, and a text, which is cut if it is a name and the terminal is narrow. */
interface ChangeLine {
  type: keyof typeof colours;
  words: string;
  text: string;
  isName: boolean;
}

export function formatChangeLine(process: CliProcess, { type, words, text, isName }: ChangeLine): string {
  const time = style(process, 'dim', clockTime(new Date()));
  const begin = `${time}  ${style(process, colours[type], type.padEnd('processed'.length))}  ${visibleLine(words)}  `;
  const whole = terminalWidth(process);
  const left = whole - displayWidth(begin);
  const width = left < narrowestName ? whole : left;
  return `${fitToTerminal(begin + (isName ? fitText(visibleLine(text), width) : visibleLine(text)), process.stdout).trimEnd()}\n`;
}

export type MemoryChangeType = 'added' | 'processed' | 'changed' | 'missing';

/** Returns the line of a change of a memory. */
export function formatMemoryLine(
  process: CliProcess,
  change: { type: MemoryChangeType; id: string; fields: readonly string[]; name: string },
): string {
  const fields = change.type === 'changed' ? `  (${change.fields.join(', ')})` : '';
  return formatChangeLine(process, { type: change.type, words: change.id + fields, text: change.name, isName: true });
}

/** Returns the local time of day, such as `14:03:59`. */
export function clockTime(date: Date): string {
  return date.toTimeString().slice(0, 'HH:MM:SS'.length);
}
