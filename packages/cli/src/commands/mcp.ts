import { type Command, Option } from 'commander';
import type { ToolsOptions } from '../mcp/run-tools.ts';
import { addConnectionOptions } from '../options/connection-options.ts';
import { insteadOfServer } from '../options/mirror-option.ts';

export function define(command: Command): void {
  addConnectionOptions(command)
    .addOption(insteadOfServer(new Option('--mirror <dir>', 'folder of a mirror to read in place of the server')))
    .option('--time-zone <iana-name>', 'time zone of the user (default: TZ, or the system)')
    .addHelpText('after', help)
    .action(async (options: ToolsOptions) => {
      const { runTools } = await import('../mcp/run-tools.ts');
      await runTools(options);
    });
}

const help = `
An assistant starts this command. Both use the Model Context Protocol over
standard input and output. The tools search, fetch, list_memories and
verify_quote only read. A quote has a receipt that proves it.
The command uses the saved login. It needs @memory-read/mcp: run
npm install --global @memory-read/mcp.
To serve the tools over HTTP, run memory-read-mcp --http of that package.
Ends with 0 when its input ends.

Examples:
  claude mcp add memories -- memory-read mcp
  memory-read mcp --profile work
  memory-read mcp --mirror memories`;
