import type { Command } from 'commander';
import { usageError } from '../terminal/command-error.ts';

/** Makes a command reject an empty value of each of its options, which an unset shell variable leaves. */
export function refuseEmptyValues(command: Command): void {
  for (const option of command.options) {
    if (!option.required) continue;
    const collect = (text: string, before: unknown) => (option.variadic ? [...((before as []) ?? []), text] : text);
    const parse: (text: string, before: unknown) => unknown = option.parseArg ?? collect;
    const check = notEmpty(option.long ?? '');
    option.argParser((text, before) => parse(check(text), before));
  }
  command.commands.forEach(refuseEmptyValues);
}

/** Rejects an empty argument. */
export function notEmpty(option: string): (text: string) => string {
  return (text) => {
    if (text !== '') return text;
    throw usageError(`${option}: the value is empty. Pass a value, or leave out the option.`);
  };
}
