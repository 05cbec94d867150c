import { Command, CommanderError } from 'commander';
import { around, type CommandRow, commandTable } from './commands/command-table.ts';
import { runToEnd } from './run-to-end.ts';
import { exitCodes } from './terminal/command-error.ts';
import { maskKeys } from './terminal/mask-keys.ts';
import { print } from './terminal/print.ts';
import { visibleLine } from './terminal/visible-text.ts';
import { versionOfPackage } from './version-of-package.ts';

type WriteOut = (text: string) => void;

/** Runs the command that the arguments name, and sets the exit code of the process. */
export function runProgram(argv: readonly string[]): Promise<void> {
  return runToEnd(() => parseArguments(argv));
}

/** Commander prints help without waiting for the output, and throws afterwards. */
async function parseArguments(argv: readonly string[]): Promise<void> {
  const printed: Promise<unknown>[] = [];
  const args = withoutHelpCommand(argv);
  const [, , name] = args;
  const program = await createProgram(
    ({ name: known }) => known === name,
    (text) => printed.push(print(text)),
  );
  try {
    await program.parseAsync(args);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } finally {
    await Promise.all(printed);
  }
}

/** `help keys create` is `keys create --help`, and no argument is `--help`. */
function withoutHelpCommand(argv: readonly string[]): readonly string[] {
  const [node = '', main = '', name = 'help', ...rest] = argv;
  if (name !== 'help') return argv;
  // Without `--help`, an unknown command is refused.
  const isKnown = rest.length === 0 || commandTable.some((row) => row.name === rest[0]);
  return [node, main, ...rest, ...(isKnown ? ['--help'] : [])];
}

/** Creates the program. The code of a command is loaded only if the arguments name it. */
async function createProgram(isLoaded: (row: CommandRow) => boolean, writeOut: WriteOut): Promise<Command> {
  const program = new Command('memory-read')
    .description('Read memories from a server of the Memory Read API, keep copies of them, and serve them.')
    .version(versionOfPackage(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpCommand(new Command('help').argument('[command...]').description(helpSummary).helpGroup(around))
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut,
      outputError: (text, write) => write(`${maskKeys(visibleLine(toUsageMessage(text)))}\n`),
    })
    .addHelpText('after', help)
    .exitOverride();
  const loadProgram = () => createProgram(() => true, writeOut);
  for (const row of commandTable) {
    const command = program.command(row.name).description(row.summary).helpGroup(row.group);
    if (isLoaded(row)) (await row.load())(command, loadProgram);
  }
  return program;
}

const helpSummary = 'Print this help, or that of a command.';

const help = `
Examples:
  memory-read serve --demo
  memory-read login
  memory-read list
  memory-read watch --state watch.json

Server and key: --base-url and --api-key, --profile, MEMORY_API_URL and
MEMORY_API_KEY, or what memory-read login saved; in this order.
Output is for people on a terminal, else JSON Lines.
memory-read help COMMAND prints the options of a command.

Exit codes:
  0 done, 1 failed, 2 wrong usage, 3 key refused, 4 not found, 5 timed out,
  130 interrupted (Ctrl+C), 143 ended by SIGTERM, but for serve`;

/** Rewrites Commander's message in the form of the other errors, without values: they may be secrets. */
function toUsageMessage(text: string): string {
  const reason = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\(?/, ' (')
    .replace(/\.$/, '')
    .replace(/^(too many arguments.* but got \d+).*/s, '$1')
    .replace(/^(unknown command) '.*'/s, '$1')
    .replace(/^(unknown option '[\w-]*)(?![\w-]).+'/s, "$1…'");
  return `Failed to read the command line: ${reason}. Add --help to see what can be passed.`;
}
