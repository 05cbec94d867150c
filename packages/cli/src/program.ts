import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { serveCommand } from './commands/serve.ts';

/** Runs the command that the arguments name; the exit code is left in the process. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = new Command('memory-read')
    .description('Serve, import and read memories.')
    .version(version())
    .addCommand(serveCommand());
  await program.parseAsync(argv);
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
