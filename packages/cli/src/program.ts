import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addFinishCommand } from './commands/finish.ts';
import { addImportCommand } from './commands/import.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addServeCommand } from './commands/serve.ts';
import { maskKeys } from './errors/mask-keys.ts';
import { reportFailure } from './errors/report-failure.ts';
import { print } from './terminal/print.ts';

/** Runs the command that the arguments name; the exit code is left in the process. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  leaveOutputErrorsToWriters();
  try {
    await parseArguments(argv);
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

/** Commander prints help and version without waiting, and throws afterwards. */
async function parseArguments(argv: readonly string[]): Promise<void> {
  const printed: Promise<void>[] = [];
  try {
    await createProgram((text) => printed.push(print(text))).parseAsync(argv);
  } finally {
    await Promise.all(printed);
  }
}

function createProgram(writeOut: (text: string) => void): Command {
  const program = new Command('memory-read')
    .description('Serve, import and read memories: the reference server of the Memory Read API.')
    .version(versionOfPackage(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureOutput({ writeOut, outputError: (text, write) => write(`${maskKeys(toUsageMessage(text))}\n`) })
    .addHelpText('after', exitCodesHelp)
    .exitOverride();
  for (const addCommand of [addServeCommand, addImportCommand, addFinishCommand, addKeysCommand]) addCommand(program);
  return program;
}

const exitCodesHelp = `
Exit codes:
  0 done, 1 failed, 2 wrong usage, 4 not found, 130 interrupted (Ctrl+C),
  143 import ended by SIGTERM`;

/** Commander's words in the grammar of every other error, without values: they may be secrets that were passed by mistake. */
function toUsageMessage(text: string): string {
  const reason = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\(?/, ' (')
    .replace(/\.$/, '')
    .replace(/^(too many arguments.* but got \d+).*/s, '$1')
    .replace(/^(unknown command) '.*'/s, '$1')
    .replace(/^(unknown option '[\w-]*)(?![\w-]).+'/s, "$1…'");
  return `Failed to read the command line: because ${reason}. Add --help to see what can be passed.`;
}

function versionOfPackage(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Whoever writes is told of its own failure; nobody would be left to tell of one of standard error. */
function leaveOutputErrorsToWriters(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
