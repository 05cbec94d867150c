import { mediaKinds } from '@memory-read/contract/fields';
import type { Command } from 'commander';
import { runArchiveCommand } from '../archive/archive-command.ts';
import { addArchiveOptions } from '../options/archive-options.ts';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { notEmpty } from '../options/not-empty.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';

interface MirrorOptions extends ConnectionOptions, OutputOptions {
  concurrency: number;
  adopt?: boolean | undefined;
  refresh?: boolean | undefined;
}

export function defineMirror(command: Command): void {
  command
    .argument('<directory>', 'folder to keep them in; made when it is new', notEmpty('the directory'))
    .option('--refresh', 'read and download all again, also what is up to date');
  addOutputOptions(addConnectionOptions(addArchiveOptions(command)))
    .addHelpText('after', help)
    .action(runMirror);
}

const help = `
Keeps JSON, Markdown, WebVTT and the media of every memory. Run it again for what is new: a run without changes makes
one request and writes nothing. It never removes a file, never replaces one that somebody has changed, and never puts
less in the place of more. Whatever ends it, the next run goes on from there. Only one run at a time uses a folder.
Files and folders that it makes are for you only.

Each file saved is a line of JSON {"event":"saved","memoryId":…,"part":…,"path":…,"size":…,"sha256":…}; each failure
{"event":"failed","memoryId":…,"part":…,"error":{"code":…,"message":…}}; the last line is {"event":"mirrored",…}.
Ends with 1 if a file failed; the others are done.

Examples:
  memory-read mirror memories
  memory-read mirror memories --quiet --api-key file:key.txt`;

function runMirror(path: string, { concurrency, refresh, adopt, ...options }: MirrorOptions): Promise<void> {
  makeFilesPrivate();
  const parts = ['json', 'markdown', 'vtt', ...mediaKinds] as const;
  return runArchiveCommand({ path, event: 'mirrored', parts, concurrency, refresh, adopt }, options);
}

/** Makes every file and folder that this process creates readable for its owner only, from the first byte on. */
function makeFilesPrivate(): void {
  const mask = process.umask(0o077);
  process.umask(mask | 0o077);
}
