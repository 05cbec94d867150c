import { speakerKey } from '@memory-read/client/search';
import type { Mirror, NamedSpeaker } from '@memory-read/mirror';
import { findInMirror } from '../ids/mirror-source.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { formatLength } from '../terminal/format-date-time.ts';
import { tableLines } from '../terminal/format-table.ts';
import { indented, widthOfText } from '../terminal/indented.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { print } from '../terminal/print.ts';
import { isForPeople, printResult } from '../terminal/print-result.ts';
import { style } from '../terminal/style.ts';
import { commandOn, mirrorFolder } from './find-mirror.ts';
import { changeMirror, readMirror } from './with-mirror.ts';
import { writeNamedPages } from './write-named-pages.ts';

export interface NameRun extends MirrorOption, OutputOptions {
  /** Whether the person is the user of the command. */
  me?: boolean | undefined;
  /** Whether to remove the name. */
  remove?: boolean | undefined;
}

type Run = NameRun & { signal: AbortSignal };

/** Prints the speakers of a memory, or names one of them. */
export async function runName(
  given: string,
  speaker: string | undefined,
  person: string | undefined,
  options: NameRun,
): Promise<void> {
  assertArguments(speaker, person, options);
  const run = { ...options, signal: abortOnInterruption(options.process) };
  if (speaker === undefined) return listSpeakers(given, run);
  await changeMirror(run, async (mirror) => {
    const memoryId = await findInMirror(mirror, given, 'name the speakers of', run);
    const label = await findLabel(mirror, memoryId, speaker, run);
    run.signal.throwIfAborted();
    if (run.remove) {
      const removed = await mirror.people.unname(memoryId, label);
      const text = removed ? `${label} of ${memoryId} has no name any more.` : `${label} of ${memoryId} had no name.`;
      await printResult({ json: { event: 'unnamed', memoryId, speaker: label, removed }, text }, run);
    } else {
      const name = person ?? (await findMe(mirror));
      const before = isForPeople(run) ? await findName(mirror, memoryId, label) : null;
      const named = await mirror.people.name(memoryId, label, name, { me: run.me });
      const notes = [named.isMe && 'you', before !== null && before !== named.person && `was ${before}`].filter(
        Boolean,
      );
      const text = `${label} of ${memoryId} is ${named.person}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}.`;
      const json = { event: 'named', memoryId, speaker: label, person: named.person };
      await printResult({ json, text }, run);
    }
    await writeNamedPages(mirror, run);
  });
}

function assertArguments(speaker: string | undefined, person: string | undefined, { me, remove }: NameRun): void {
  const option = me ? '--me' : '--remove';
  if (me && remove) throw usageError('--remove: it cannot be combined with --me. Leave one of them out.');
  if (remove && person !== undefined) {
    throw usageError('--remove: it cannot be combined with a name. Leave one of them out.');
  }
  if (speaker === undefined && (me || remove)) {
    throw usageError(`${option}: it needs a speaker. Pass the label after the memory, such as "Speaker 1".`);
  }
  if (speaker !== undefined && person === undefined && !me && !remove) {
    throw usageError('the name: it is missing. Pass a name after the speaker, or --me, or --remove.');
  }
}

/** On a terminal, where the completed label is seen, the case of a label can differ if only one label fits. */
async function findLabel(mirror: Mirror, memoryId: string, given: string, options: OutputOptions): Promise<string> {
  if (options.process.stderr.isTTY !== true || options.quiet === true) return given;
  const labels = (await mirror.people.speakers(memoryId)).map(({ label }) => label);
  if (labels.includes(given)) return given;
  const [only, other] = labels.filter((label) => speakerKey(label) === speakerKey(given));
  if (only === undefined || other !== undefined) return given;
  note(`Using ${JSON.stringify(only)}.`, options);
  return only;
}

async function findName(mirror: Mirror, memoryId: string, label: string): Promise<string | null> {
  return (await mirror.people.speakers(memoryId)).find((speaker) => speaker.label === label)?.person ?? null;
}

async function findMe(mirror: Mirror): Promise<string> {
  const me = (await mirror.people.list()).find(({ isMe }) => isMe);
  if (me !== undefined) return me.name;
  const problem = 'nobody is marked as you yet. Pass your name with --me once.';
  throw new CommandError(exitCodes.usage, `Failed to name the speaker: ${problem}`);
}

async function listSpeakers(given: string, run: Run): Promise<void> {
  const { memoryId, speakers } = await readMirror(run, async (mirror) => {
    const memoryId = await findInMirror(mirror, given, 'list the speakers of', run);
    return { memoryId, speakers: await mirror.people.speakers(memoryId) };
  });
  if (speakers.length === 0) note('The memory has no transcript with speakers.', run);
  const text = isForPeople(run)
    ? toText(run.process, speakers)
    : speakers.map((speaker) => jsonLine(toJson(memoryId, speaker))).join('');
  await print(run.process, text, run.signal);
  const unnamed = speakers.find(({ person }) => person === null);
  if (unnamed === undefined || !isForPeople(run)) return;
  const [maybe = 'NAME', other] = unnamed.doubtful;
  const args = [memoryId, unnamed.label, other === undefined ? maybe : 'NAME'];
  note(`Name a speaker: ${commandOn(run.process, mirrorFolder(run.process, run.mirror), 'name', args)}`, run);
}

function toJson(memoryId: string, { label, person, isMe, doubtful, segments, duration, excerpts }: NamedSpeaker) {
  return {
    memoryId,
    speaker: label,
    person,
    ...(isMe && { me: true }),
    ...(doubtful.length > 0 && { doubtful }),
    segments,
    duration_seconds: duration / 1000,
    excerpts: excerpts.map(({ offset, text }) => ({ offset_seconds: offset / 1000, text })),
  };
}

/** Returns a heading for each speaker, in the columns of a table, with excerpts below it. */
function toText(process: CliProcess, speakers: readonly NamedSpeaker[]): string {
  const width = widthOfText(process);
  const rows = speakers.map((speaker) => [
    shownLabel(speaker.label),
    `spoke ${formatLength(speaker.duration / 1000)}`,
    personOf(speaker),
  ]);
  const headings = [...tableLines(rows, width, [2, 0, 1])];
  const parts = speakers.map(({ excerpts }, index) => {
    const lines = excerpts.flatMap(({ offset, text }) =>
      indented(`  ${formatLength(Math.floor(offset / 1000))}  `, text, width),
    );
    return [style(process, 'cyan', headings[index] ?? ''), ...lines].map((line) => `${line}\n`).join('');
  });
  return parts.join('\n');
}

/** Quotes a label whose spaces would not be seen. */
function shownLabel(label: string): string {
  return label === label.trim() && label !== '' ? label : JSON.stringify(label);
}

function personOf({ person, isMe, doubtful }: NamedSpeaker): string {
  const maybe = doubtful.length > 0 ? [`maybe ${doubtful.join(' or ')}`] : [];
  const certain = person === null ? [] : [isMe ? `${person} (you)` : person];
  return [...certain, ...maybe].join(', ') || 'no name';
}
