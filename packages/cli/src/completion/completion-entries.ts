import type { Command, Option } from 'commander';

/** What can stand at one place of the command line. */
export interface CompletionEntry {
  /** The command, such as `keys create`; empty for the beginning. */
  path: string;
  /** Commands below it, values of its arguments where they are known, and options. */
  words: readonly Word[];
  /** Options that a value follows, with those values that there are, where they are known. */
  values: readonly { option: string; choices: readonly string[] }[];
}

/** A command, a value or an option. */
export interface Word {
  text: string;
  /** One line. */
  description: string;
}

/** What can stand after a program, its commands and theirs. */
export function completionEntries(command: Command, path = ''): CompletionEntry[] {
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const options = [...command.options.filter((option) => !option.hidden), helpOption];
  const entry = {
    path,
    words: [
      ...command.commands.map((each) => ({ text: each.name(), description: each.description() })),
      ...choices.map((text) => ({ text, description: `for ${text}` })),
      ...options.map(({ long, description }) => ({ text: long ?? '', description })),
    ],
    values: command.options.filter(takesValue).map(({ long, argChoices = [] }) => ({
      option: long ?? '',
      choices: argChoices,
    })),
  };
  const below = command.commands.map((each) => completionEntries(each, `${path} ${each.name()}`.trim()));
  return [entry, ...below.flat()];
}

/** Commander keeps it apart from the others. */
const helpOption = { long: '--help', description: 'print this help' };

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}
