import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addImportCommand } from './commands/import.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addServeCommand } from './commands/serve.ts';
import { reportFailure } from './errors/report-failure.ts';

/** Runs the command that the arguments name; the exit code is left in the process. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  ignoreClosedPipes();
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

function createProgram(): Command {
  const program = new Command('memory-read')
    .description('Serve, import and read memories: the reference server of the Memory Read API.')
    .version(versionOfPackage(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(`${toUsageMessage(text)}\n`) })
    .addHelpText('after', exitCodesHelp)
    .exitOverride();
  for (const addCommand of [addServeCommand, addImportCommand, addKeysCommand]) addCommand(program);
  return program;
}

const exitCodesHelp = `
Exit codes:
  0 done, 1 failed, 2 wrong usage, 4 not found, 130 interrupted (Ctrl+C),
  143 import ended by SIGTERM`;

/** Commander's words in the grammar of every other error; a key that was passed by mistake is not repeated. */
function toUsageMessage(text: string): string {
  const reason = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\(?/, ' (')
    .replace(/\.$/, '')
    .replace(/=[^']*/, '=…')
    .replace(/mrk_[\w-]*/g, 'mrk_…');
  return `Failed to read the command line: because ${reason}. Add --help to see what can be passed.`;
}

function versionOfPackage(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Whoever reads the output may stop reading, as `head` does: no reason to fail. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
