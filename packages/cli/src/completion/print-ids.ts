import { listIds, listLabels, listNames, listSinkNames } from '@memory-read/mirror/ids';
import { mirrorFolder } from '../mirror/find-mirror.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/**
 * Prints ids of the mirror that begin with a text, a line each: memories that are on the server first, newest first.
 *
 * Prints nothing without a mirror, and no id that a shell would have to quote.
 */
export function printIds(process: CliProcess, prefix = ''): void {
  printTexts(process, (folder) => listIds(folder, { prefix, limit: 100 }));
}

/** Prints the labels of the speakers of a memory, a line each. A shell has to quote them. */
export function printSpeakers(process: CliProcess, memoryId = ''): void {
  printTexts(process, (folder) => listLabels(folder, memoryId).filter(isOneWord));
}

/** Prints the names of the people, a line each. A shell has to quote them. */
export function printPeople(process: CliProcess): void {
  printTexts(process, (folder) => listNames(folder).filter(isOneWord));
}

/** Prints the names of the sinks, a line each. */
export function printSinks(process: CliProcess): void {
  printTexts(process, (folder) => listSinkNames(folder).filter(isOneWord));
}

/** Returns whether a text can be a line, and an argument: an option begins with a hyphen. */
function isOneWord(text: string): boolean {
  return text !== '' && !text.startsWith('-') && visibleLine(text) === text;
}

function printTexts(process: CliProcess, find: (folder: string) => string[]): void {
  let texts: string[] = [];
  try {
    texts = find(mirrorFolder(process, undefined));
  } catch {
    // A message would disturb the line that the user types.
  }
  for (const text of texts) process.stdout.write(`${text}\n`);
}
