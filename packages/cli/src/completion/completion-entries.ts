import type { Command, Option } from 'commander';

/** Suggestions for one position of the command line. */
export interface CompletionEntry {
  /** Command, such as `keys create`. It is empty for the beginning. */
  path: string;
  /** Subcommands, known values of the arguments, and options. */
  words: readonly Word[];
  /** Options with a value, and the known values. */
  values: readonly { option: string; choices: readonly string[] }[];
}

/** A command, a value or an option. */
export interface Word {
  text: string;
  /** Description of one line. */
  description: string;
}

/** Returns the suggestions for a program and all of its commands. */
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

/** Commander does not list this option with the others. */
const helpOption = { long: '--help', description: 'print this help' };

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}
