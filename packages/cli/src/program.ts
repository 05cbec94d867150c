import { Command } from 'commander';
import { around, type CommandRow, commandTable } from './commands/command-table.ts';
import { refuseEmptyValues } from './options/not-empty.ts';
import { runToEnd } from './run-to-end.ts';
import type { CliProcess, CommandContext } from './terminal/cli-process.ts';
import { exitCodes } from './terminal/command-error.ts';
import { fitToTerminal, prepareTerminal } from './terminal/fit-to-terminal.ts';
import { maskKeys } from './terminal/mask-keys.ts';
import { print } from './terminal/print.ts';
import { visibleLine } from './terminal/visible-text.ts';
import { versionOfPackage } from './version-of-package.ts';

interface Invocation extends CommandContext {
  args: readonly string[];
  writeOut: (text: string) => void;
}

/** Runs the command that the arguments name, and sets the exit code of the process. */
export function runProgram(process: CliProcess): Promise<void> {
  return runToEnd(process, () => parseArguments(process));
}

/** Commander prints help without waiting for the output, and throws afterwards. */
async function parseArguments(process: CliProcess): Promise<void> {
  let printed: Promise<unknown> = Promise.resolve();
  const args = withoutHelpCommand(process.argv);
  const [, , name] = args;
  const program = await createProgram(({ name: known }) => known === name, {
    process,
    args,
    writeOut: (text) => {
      printed = printed.then(() => printHelp(process, text));
    },
  });
  await prepareTerminal(process);
  try {
    await program.parseAsync(upToUnknownCommand(program, args));
  } catch (error) {
    const { code, exitCode } = Object(error);
    if (!String(code).startsWith('commander.')) throw error;
    process.exitCode = exitCode === 0 ? 0 : exitCodes.usage;
  } finally {
    await printed;
  }
}

/** Widest line of a help. */
const helpWidth = 80;

/** Returns the width of a help, which is narrower only on a narrower terminal. */
function columnsOfHelp({ stdout }: CliProcess): number {
  return Math.min(helpWidth, (stdout.isTTY && stdout.columns) || helpWidth);
}

/** Commander wraps no description that has less than 40 columns, and no text after the options. */
async function printHelp(process: CliProcess, text: string): Promise<void> {
  const width = columnsOfHelp(process);
  // Most terminals do not need this code.
  const { fitLines } = width < helpWidth ? await import('./terminal/fit-lines.ts') : { fitLines: String };
  await print(process, fitLines(text, width));
}

/** `help keys create` is `keys create --help`, and no argument is `--help`. */
function withoutHelpCommand(argv: readonly string[]): readonly string[] {
  const [node = '', main = '', name = 'help', ...rest] = argv;
  return name === 'help' ? [node, main, ...rest, '--help'] : argv;
}

/** Leaves out what follows an unknown command, as Commander would print the help of its group for `--help`. */
function upToUnknownCommand(program: Command, args: readonly string[]): readonly string[] {
  const words = args.slice(2);
  const names = commandWords(program, words);
  const last = names.reduce((parent, name) => parent.commands.find((each) => each.name() === name) ?? parent, program);
  const next = words[names.length] ?? '-';
  const isKnown = last.commands.length === 0 || next.startsWith('-') || next === 'help';
  return isKnown ? args : args.slice(0, 2 + names.length + 1);
}

/** Creates the program. The code of a command is loaded only if the arguments name it. */
async function createProgram(isLoaded: (row: CommandRow) => boolean, invocation: Invocation): Promise<Command> {
  const { process, args, writeOut } = invocation;
  const program = new Command('memory-read')
    .description('Read memories from a server of the Memory Read API, keep copies of them, and serve them.')
    .version(versionOfPackage(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpCommand(new Command('help').argument('[command...]').description(helpSummary).helpGroup(around))
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut,
      writeErr: (text) => void process.stderr.write(text),
      getOutHelpWidth: () => columnsOfHelp(process),
      outputError: (text, write) => {
        const help = ['memory-read', 'help', ...commandWords(program, args.slice(2))].join(' ');
        write(`${fitToTerminal(maskKeys(process, visibleLine(toUsageMessage(text, help))), process.stderr)}\n`);
      },
    })
    .addHelpText('after', help)
    // Actions and what they call get the process with their options.
    .hook('preAction', (_program, command) => void command.setOptionValue('process', process))
    .exitOverride();
  const loadProgram = () => createProgram(() => true, invocation);
  for (const row of commandTable) {
    const command = program.command(row.name).description(row.summary).helpGroup(row.group);
    if (!isLoaded(row)) continue;
    (await row.load()).define(command, process, loadProgram);
    refuseEmptyValues(command);
  }
  return program;
}

const helpSummary = 'Print this help, or that of a command.';

const help = `
Examples:
  memory-read serve --demo
  memory-read login
  memory-read list
  memory-read watch

Server and key: --base-url and --api-key, --profile, MEMORY_API_URL and
MEMORY_API_KEY, or what memory-read login saved; in this order.
Output is for people on a terminal, else JSON Lines.
memory-read help COMMAND prints the options of a command.

Exit codes:
  0 done, 1 failed, 2 wrong usage, 3 key refused, 4 not found, 5 timed out,
  130 interrupted (Ctrl+C), 143 ended by SIGTERM, but for serve and mock`;

/** Returns the words that name a command, such as `keys create`. */
function commandWords(parent: Command, [word, ...rest]: readonly string[]): readonly string[] {
  const command = parent.commands.find((known) => known.name() === word);
  return command === undefined ? [] : [command.name(), ...commandWords(command, rest)];
}

/** Rewrites Commander's message in the form of the other errors, without values: they may be secrets. */
function toUsageMessage(text: string, help: string): string {
  return `Failed to read the command line: ${unknownCommand(text, help) ?? `${reasonOf(text, help)}. Run ${help}.`}`;
}

/** Quotes an unknown command only if it resembles a known one. Another may be a secret. */
function unknownCommand(text: string, help: string): string | undefined {
  const [, name, nearest] =
    /^error: unknown command '(.*)'(?:\n\(Did you mean (?:one of )?([\w-]+).*\?\))?$/s.exec(text.trim()) ?? [];
  if (name === undefined) return undefined;
  if (nearest === undefined) return `there is no such command. Run ${help} for all commands.`;
  const run = `${help.replace(' help', '')} ${nearest}`;
  return `there is no command ${JSON.stringify(name)}. Run ${run}, or ${help} for all commands.`;
}

/** Commands whose arguments can look like options. */
const dashAdvice: Readonly<Record<string, string>> = {
  search: '. To exclude a word, write it after --',
  judge: '. Write -- before the command that is judged',
};

function reasonOf(text: string, help: string): string {
  return text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\(?/, ' (')
    .replace(/\.$/, '')
    .replace(/^(too many arguments.* but got \d+).*/s, '$1')
    .replace(/^(unknown option '[\w-]*)(?![\w-]).+'/s, "$1…'")
    .concat((/^error: unknown option '-\w/.test(text) && dashAdvice[help.split(' ').at(-1) ?? '']) || '');
}
