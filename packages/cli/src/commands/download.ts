import type { MediaKind, MemoryClient } from '@memory-read/client';
import { mediaKinds } from '@memory-read/contract/fields';
import { Argument, type Command } from 'commander';
import { runArchiveCommand } from '../archive/archive-command.ts';
import { fileStem } from '../files/file-stem.ts';
import { withWholeId } from '../ids/complete-id.ts';
import { downloadFile } from '../media/download-file.ts';
import { mediaSuffix } from '../media/media-suffix.ts';
import { type ArchiveOptions, addArchiveOptions, readArchiveRange } from '../options/archive-options.ts';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { addFilterOptions, timesHelp } from '../options/filter-options.ts';
import { addKindOption, type GivenKind, readKinds } from '../options/kind-option.ts';
import { notEmpty } from '../options/not-empty.ts';
import { openClient } from '../options/open-client.ts';
import { outputPath } from '../output/output-path.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { createByteProgress } from '../terminal/create-byte-progress.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';

interface DownloadOptions extends ConnectionOptions, ArchiveOptions, OutputOptions {
  all?: boolean | undefined;
  kind?: GivenKind[] | undefined;
  output?: string | undefined;
  verify?: boolean | undefined;
  force?: boolean | undefined;
}

export function defineDownload(command: Command): void {
  command
    .argument('[memory-id]', 'id of the memory, as `list` prints it; on a terminal, its beginning')
    .addArgument(new Argument('[kind]', 'which of its media').choices(mediaKinds))
    .option('--all', 'the media of every memory of the account');
  addKindOption(command, 'with --all: only these')
    .option('--output <path>', 'file or folder to save to (default with --all: memories)', notEmpty('--output'))
    .option('--force', 'replace an existing file')
    .option('--verify', 'with --all: check existing files by their SHA-256');
  addFilterOptions(addOutputOptions(addConnectionOptions(addArchiveOptions(command))))
    .addHelpText('after', help)
    .action(runDownload);
}

const help = `${timesHelp}

A download resumes where an earlier one stopped. For one memory, an existing
file is replaced only with --force. The line of JSON is {"event":"saved",
"memoryId":…,"part":…,"path":…,"contentType":…,"size":…,"resumedFrom":…}.

With --all, complete files are skipped, and files that were changed are not
replaced. memory-read.json in the folder has their sizes and SHA-256. Each
saved file is a line {"event":"saved",…,"sha256":…}, each failure a line
{"event":"failed",…,"error":{…}}. The last line is {"event":"downloaded",…}.
With --dry-run, each is {"event":"would_save","memoryId":…,"part":…}.
Ends with 4 if the memory does not exist, or has no such media.

Examples:
  memory-read download mem_1 audio
  memory-read download mem_1 video --output talk.webm
  memory-read download --all --last 7d
  memory-read download --all --kind audio --output media --concurrency 8`;

async function runDownload(
  memoryId: string | undefined,
  kind: MediaKind | undefined,
  { all, kind: kinds, verify, concurrency, adopt, dryRun, ...options }: DownloadOptions,
): Promise<void> {
  const range = await readArchiveRange({ ...options, adopt, dryRun }, all === true);
  if (options.output === '-') {
    throw usageError('--output: media cannot be written to standard output. Pass a file or a folder.');
  }
  if (all) {
    if (memoryId !== undefined) {
      const advice = 'Leave out one of them, or pass a folder as --output.';
      throw usageError(`--all: it cannot be combined with a memory id. ${advice}`);
    }
    if (options.force) throw usageError('--force: --all never replaces files that were changed. Leave it out.');
    const plan = {
      path: options.output ?? 'memories',
      parts: readKinds(kinds),
      range,
      concurrency,
      verify,
      adopt,
      dryRun,
    };
    return runArchiveCommand({ ...plan, event: 'downloaded' }, options);
  }
  if (memoryId === undefined || kind === undefined) {
    throw new CommandError(
      exitCodes.usage,
      'Failed to download: a memory id and a kind of media are needed. Pass both, or --all.',
    );
  }
  if (kinds || verify) throw usageError('--kind or --verify: they need --all. Leave them out, or pass --all.');
  return downloadOne(memoryId, kind, options);
}

async function downloadOne(
  givenId: string,
  kind: MediaKind,
  { output, force = false, ...options }: ConnectionOptions & OutputOptions & Pick<DownloadOptions, 'output' | 'force'>,
): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const client = await openClient(options);
  const progress = createByteProgress(options);
  let first: number | undefined;
  const onProgress = ({ bytesReceived, size }: { bytesReceived: number; size: number | null }) => {
    first ??= bytesReceived;
    const text = size === null ? formatBytes(bytesReceived) : `${formatBytes(bytesReceived)} of ${formatBytes(size)}`;
    progress.update({ text, count: bytesReceived - first, share: size ? bytesReceived / size : undefined });
  };
  try {
    const save = async (id: string) => {
      const target = await findTarget(client, { memoryId: id, kind, output, signal });
      return {
        memoryId: id,
        saved: await downloadFile(client, { memoryId: id, kind, target, force, signal, onProgress }),
      };
    };
    const { memoryId, saved } = await withWholeId(client, givenId, { ...options, signal }, save);
    progress.clear();
    const text = `Saved ${saved.path} (${formatBytes(saved.size)}).`;
    await printResult({ json: { event: 'saved', memoryId, part: kind, ...saved }, text }, options, signal);
  } finally {
    progress.clear();
  }
}

interface TargetOptions {
  memoryId: string;
  kind: MediaKind;
  output: string | undefined;
  signal: AbortSignal;
}

/** Returns the path of the file. In a folder, the file is named as `--all` names it. */
async function findTarget(
  client: MemoryClient,
  { memoryId, kind, output = '.', signal }: TargetOptions,
): Promise<string> {
  return outputPath(output, async () => {
    const memory = await client.getMemory(memoryId, { signal });
    return `${fileStem(memory)}${mediaSuffix(kind, memory[`${kind}_url`] ?? '')}`;
  });
}
