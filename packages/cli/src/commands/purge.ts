import type { Command } from 'commander';
import { addMirrorOption } from '../options/mirror-option.ts';
import { addOutputOptions } from '../terminal/output-options.ts';

export function define(command: Command): void {
  command.argument('<memory-id>', 'id of the memory, as `list` or `search` prints it; on a terminal, its beginning');
  addOutputOptions(addMirrorOption(command))
    .addHelpText('after', help)
    .action(async (memoryId, options) => (await import('../mirror/run-purge.ts')).runPurge(memoryId, options));
}

const help = `
Removes all versions of the memory, its words, media and pages from the mirror,
not from the server. This cannot be undone, and later runs of \`mirror\` do not
read the memory again. A page that you edited stays; leftFiles names it.
The line of JSON is {"event":"purged","memoryId":…,"leftFiles":[…],
"pendingFolders":[…],"logPending":false}.
Ends with 4 if the mirror has no such memory, or if several ids begin with the
text. Then nothing is removed.

Example:
  memory-read purge mem_1`;
