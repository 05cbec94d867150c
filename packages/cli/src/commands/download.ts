import type { MediaKind, Memory, MemoryClient } from '@memory-read/client';
import { mediaKinds } from '@memory-read/contract/fields';
import { Argument, type Command } from 'commander';
import { withMemory } from '../ids/account-source.ts';
import { memoryArgument } from '../ids/find-memory.ts';
import { downloadFile } from '../media/download-file.ts';
import { addConnectionOptions } from '../options/connection-options.ts';
import { addExportOptions, assertNoOptionOfAll, type ExportOptions, exportAll } from '../options/export-options.ts';
import { timesHelp } from '../options/filter-options.ts';
import { givenKinds, parseKind } from '../options/kind-option.ts';
import { addMirrorOption } from '../options/mirror-option.ts';
import { openClient } from '../options/open-client.ts';
import { outputPath } from '../output/output-path.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { createByteProgress } from '../terminal/create-byte-progress.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { addOutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';

interface DownloadOptions extends ExportOptions {
  output?: string | undefined;
  force?: boolean | undefined;
}

export function define(command: Command): void {
  command
    .argument('[memory-id]', `${memoryArgument}; with --all, the folder to write to`)
    .addArgument(
      new Argument('[kind]', 'which of its media')
        .choices([...givenKinds])
        .argParser((text: string) => parseKind(text, 'the kind of media')),
    )
    .option('-o, --output <path>', 'file or folder to save to (default: the current folder)')
    .option('--force', 'replace an existing file');
  addOutputOptions(addConnectionOptions(addMirrorOption(addExportOptions(command))))
    .addHelpText('after', help)
    .action(runDownload);
}

const help = `${timesHelp}

A download resumes where an earlier one stopped. For one memory, an existing
file is replaced only with --force. The line of JSON is {"event":"saved",
"memoryId":…,"part":…,"path":…,"contentType":…,"size":…,"resumedFrom":…}.

With --all, the command is \`export --all --media\`: see its help. The last line
is {"event":"downloaded",…}.
Ends with 4 if the memory does not exist, or has no such media.

Examples:
  memory-read download mem_1 audio
  memory-read download mem_1 video --output talk.webm
  memory-read download --all media --kind audio --last 7d`;

async function runDownload(
  target: string | undefined,
  kind: MediaKind | undefined,
  { output, force, ...options }: DownloadOptions,
): Promise<void> {
  if (output === '-') {
    throw usageError('--output: media cannot be written to standard output. Pass a file or a folder.');
  }
  if (options.all) {
    if (output !== undefined) throw usageError('--output: with --all, the folder is the argument. Leave it out.');
    if (force) throw usageError('--force: --all never replaces files that were changed. Leave it out.');
    if (kind !== undefined) throw usageError(`--all: it takes a folder only. Pass --kind ${kind} instead.`);
    if (target === undefined) throw needed('--all needs a folder. Run memory-read download --all FOLDER.');
    return exportAll(target, { event: 'downloaded', formats: [], media: true }, options);
  }
  if (target === undefined) throw needed('a memory and a kind of media are needed. Pass both, or --all and a folder.');
  if (kind === undefined) throw needed(`a kind of media is needed. Pass ${mediaKinds.join(', ')} after the memory.`);
  const { mirror } = options;
  assertNoOptionOfAll(options, { mirror });
  return downloadOne(target, kind, { ...options, output, force });
}

function needed(problem: string): CommandError {
  return new CommandError(exitCodes.usage, `Failed to download: ${problem}`);
}

async function downloadOne(
  givenId: string,
  kind: MediaKind,
  { output, force = false, ...options }: DownloadOptions,
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
    const { memoryId, saved } = await withMemory(client, givenId, { ...options, signal }, save);
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

/** Returns the path of the file. In a folder, it has the name that `--all` gives it in an empty one. */
async function findTarget(
  client: MemoryClient,
  { memoryId, kind, output = '.', signal }: TargetOptions,
): Promise<string> {
  return outputPath(output, async () => {
    const memory = await client.getMemory(memoryId, { signal });
    const { fileNames } = await import('@memory-read/mirror');
    const suffixes = mediaKinds.map((each) => [each, suffixOf(memory, each)]);
    return fileNames(memory, { media: { ...Object.fromEntries(suffixes), [kind]: suffixOf(memory, kind) ?? '' } })[
      kind
    ] as string;
  });
}

function suffixOf(memory: Memory, kind: MediaKind): string | undefined {
  const url = memory[`${kind}_url`];
  return url === null ? undefined : mediaSuffix(url);
}

/** Known extensions of media, because a URL with `.exe` at its end must not name the file. */
const known =
  /^(?:aac|aif|aiff|amr|avi|avif|bmp|caf|flac|gif|heic|jpeg|jpg|m4a|m4v|mka|mkv|mov|mp3|mp4|mpeg|mpg|oga|ogg|ogv|opus|png|tif|tiff|ts|wav|weba|webm|webp|wma|wmv)$/;

/** Returns the end of a media file's name, such as `.wav`; an empty text if the URL has no known one. */
export function mediaSuffix(mediaUrl: string): string {
  const path = URL.canParse(mediaUrl) ? new URL(mediaUrl).pathname : '';
  const [suffix = ''] = /\.\w+$/.exec(path.toLowerCase()) ?? [];
  return known.test(suffix.slice(1)) ? suffix : '';
}
