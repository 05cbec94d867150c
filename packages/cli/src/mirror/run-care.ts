import type { Damage, Mirror, MirrorWarning } from '@memory-read/mirror';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printResult, type Result } from '../terminal/print-result.ts';
import { quantity } from '../terminal/quantity.ts';
import { explainMirrorError } from './explain-mirror-error.ts';
import { findMirror } from './find-mirror.ts';
import { withMirror } from './with-mirror.ts';

/** Options of a run: one of the last three is given. */
interface CareRun extends ConnectionOptions, OutputOptions {
  dir: string | undefined;
  backup?: string | undefined;
  check?: boolean | undefined;
  repair?: boolean | undefined;
}

/** Backs up, checks or repairs a mirror, and prints what is damaged and the result. */
export async function runCare({ dir, backup, repair, ...run }: CareRun): Promise<void> {
  const signal = abortOnInterruption(run.process);
  const folder = findMirror(run.process, dir);
  const onWarning = ({ message }: MirrorWarning) => note(`Warning: ${message}`, run);
  const work =
    backup !== undefined
      ? (mirror: Mirror) => backUp(mirror, backup, signal)
      : repair
        ? await repairFrom(run, signal)
        : (mirror: Mirror) => check(mirror, signal);
  const { damaged = [], event, result } = await withMirror({ folder, readOnly: backup !== undefined, onWarning }, work);
  for (const damage of damaged) {
    if (!(await printResult({ json: { event, ...damage }, text: textOf(damage) }, run, signal))) return;
  }
  await printResult(result, run, signal);
  if (damaged.length === 0) return;
  const [problem, advice] =
    event === 'lost'
      ? ['cannot be repaired', 'Restore a backup to get it back']
      : ['is damaged', 'Run memory-read mirror --repair to take it from the server'];
  const message = `Failed to ${repair ? 'repair' : 'check'} ${JSON.stringify(folder)}: what is above ${problem}. ${advice}.`;
  throw new CommandError(exitCodes.failed, message);
}

interface CareResult {
  damaged?: readonly Damage[];
  event?: 'damaged' | 'lost';
  result: Result;
}

async function backUp(mirror: Mirror, target: string, signal: AbortSignal): Promise<CareResult> {
  const { file, size } = await mirror.backup(target, { signal }).catch((error: unknown) => {
    throw explainMirrorError(target, error);
  });
  const text = `Copied the database to ${file} (${formatBytes(size)}), without media and pages.`;
  return { result: { json: { event: 'backed_up', file, size }, text } };
}

async function check(mirror: Mirror, signal: AbortSignal): Promise<CareResult> {
  const { damaged, ...counts } = await mirror.check({ signal });
  const { memories, versions, media } = counts;
  const read = `${quantity(memories, 'memory', 'memories')}, ${quantity(versions, 'version', 'versions')} and ${quantity(media, 'recording', 'recordings')}`;
  const json = { event: 'checked', ...counts, damaged: damaged.length };
  return { damaged, event: 'damaged', result: { json, text: `Read ${read}: ${damaged.length} damaged.` } };
}

async function repairFrom(run: ConnectionOptions & OutputOptions, signal: AbortSignal) {
  const client = await openClient(run);
  return async (mirror: Mirror): Promise<CareResult> => {
    const { repaired, lost } = await mirror.repair(client, { signal });
    const json = { event: 'repaired', repaired, lost: lost.length };
    return { damaged: lost, event: 'lost', result: { json, text: `${repaired} repaired, ${lost.length} lost.` } };
  };
}

function textOf({ memoryId, part, version, path }: Damage): string {
  return [memoryId, part, version, path].filter((each) => each !== null).join('  ');
}
