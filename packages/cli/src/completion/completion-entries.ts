import type { Command, Option } from 'commander';

/** Suggestions for a command. */
export interface CompletionEntry {
  /** Command, such as `keys create`. It is empty for the beginning. */
  path: string;
  commands: readonly Word[];
  options: readonly CompletionOption[];
  /** Suggestions for each argument; the last one can repeat. */
  arguments: readonly { suggestion: Suggestion; repeats: boolean }[];
}

/** A command or an option. */
export interface Word {
  text: string;
  /** Description of one line. */
  description: string;
}

/** An option with its two dashes. */
export interface CompletionOption extends Word {
  /** One letter without a dash. */
  short: string | undefined;
  /** Suggestions for its value; undefined for an option without one. */
  value: Suggestion | undefined;
  /** Whether several values can follow. */
  repeats: boolean;
}

/** Known words, or a kind of words that the shell looks up. */
export type Suggestion = readonly string[] | 'files' | 'folders' | 'ids' | 'speakers' | 'people' | 'profiles' | 'sinks';

/** Returns the suggestions for a program and all of its commands. */
export function completionEntries(program: Command): CompletionEntry[] {
  const entries = entriesOf(program, '');
  const helpEntries = entries
    .filter(({ commands }) => commands.length > 0)
    .map(({ path, commands }) => ({ path: `help ${path}`.trim(), commands, options: [helpOption], arguments: [] }));
  return [...entries, ...helpEntries];
}

/** Commander lists neither this option nor this command with the others. */
const helpOption = { text: '--help', short: 'h', description: 'print this help', value: undefined, repeats: false };
const helpCommand = { text: 'help', description: 'Print this help, or that of a command.' };

function entriesOf(command: Command, path: string): CompletionEntry[] {
  const entry = {
    path,
    commands: [
      ...command.commands.map((each) => ({ text: each.name(), description: each.description() })),
      ...(path === '' ? [helpCommand] : []),
    ],
    options: [...command.options.filter((option) => !option.hidden).map(toCompletionOption), helpOption],
    arguments: command.registeredArguments.map((argument) => ({
      suggestion: argument.argChoices ?? suggestionFor(argument.name(), path),
      repeats: argument.variadic,
    })),
  };
  // With `--all`, the argument is the folder to write to.
  const isForAll = command.options.some(({ long }) => long === '--all') && entry.arguments.length > 0;
  const folder = { suggestion: 'folders', repeats: false } as const;
  return [
    entry,
    ...(isForAll ? [{ ...entry, path: `${path} --all`, arguments: [folder] }] : []),
    ...command.commands.flatMap((each) => entriesOf(each, `${path} ${each.name()}`.trim())),
  ];
}

function toCompletionOption(option: Option): CompletionOption {
  const { long, short, description, argChoices, required, optional, variadic } = option;
  const placeholder = /<([\w-]+)/.exec(option.flags)?.[1] ?? '';
  const value = suggestionsByOption[long ?? ''] ?? argChoices ?? suggestionFor(placeholder);
  return {
    text: long ?? '',
    short: short?.slice(1),
    description,
    value: required || optional ? value : undefined,
    repeats: variadic,
  };
}

const suggestionsByOption: Readonly<Record<string, Suggestion>> = {
  '--profile': 'profiles',
  '--speaker': 'people',
  '--sink': 'sinks',
};

/** Returns the kind of words for the name of a value in the help. */
function suggestionFor(name: string, path = ''): Suggestion {
  if (name === 'file' || name === 'path') return 'files';
  if (name === 'dir' || name === 'directory') return 'folders';
  if (name === 'sink') return 'sinks';
  if (name === 'speaker') return 'speakers';
  if (name === 'person' || name === 'into') return 'people';
  // A command on the database of a server gets no ids, because a mirror can have other memories.
  const isOfMirror = name.startsWith('memory-id') && path !== 'finish';
  return isOfMirror ? 'ids' : [];
}
