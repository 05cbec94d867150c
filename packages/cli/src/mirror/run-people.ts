import { isDeepStrictEqual } from 'node:util';
import type { Doubt, Mirror, Person } from '@memory-read/mirror';
import type { MirrorOption } from '../options/mirror-option.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { isForPeople, printResult, type Result } from '../terminal/print-result.ts';
import { printRows } from '../terminal/print-rows.ts';
import { quantity } from '../terminal/quantity.ts';
import { terminalWidth } from '../terminal/terminal-width.ts';
import { commandOn, mirrorFolder } from './find-mirror.ts';
import { leftLines } from './run-purge.ts';
import { changeMirror, readMirror } from './with-mirror.ts';
import { writeNamedPages } from './write-named-pages.ts';

export interface PeopleRun extends MirrorOption, OutputOptions {}

/** Prints the people of a mirror, or the doubtful names. */
export async function listPeople({ doubtful, ...options }: PeopleRun & { doubtful?: boolean }): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const on = (words: string) => commandOn(options.process, mirrorFolder(options.process, options.mirror), words);
  if (doubtful) {
    const doubts = await readMirror(options, (mirror) => mirror.people.doubts());
    await printRows(doubts, { toJson: toDoubtRow, toCells: cellsOfDoubts(options) }, options, signal);
    if (doubts.length === 0) note('No name is doubtful.', options);
    else if (isForPeople(options)) note(`Name a speaker again to decide: ${on('name MEMORY-ID')}`, options);
    return;
  }
  const people = await readMirror(options, (mirror) => mirror.people.list());
  await printRows(people, { toJson: toPersonRow, toCells: cellsOfPeople }, options, signal);
  if (people.length === 0)
    note(`There are no people yet. List the speakers of a memory: ${on('name latest')}`, options);
}

export function renamePerson(person: string, name: string, options: PeopleRun): Promise<void> {
  return changePeople(options, async ({ people }) => {
    const renamed = await people.rename(person, name);
    return { json: { event: 'renamed', person: renamed.name }, text: `${person} is now called ${renamed.name}.` };
  });
}

export function mergePeople(person: string, into: string, options: PeopleRun): Promise<void> {
  return changePeople(options, async ({ people }) => {
    const merged = await people.merge(person, into);
    return { json: { event: 'merged', person: merged.name }, text: `${person} is ${withCount(merged, ' now')}.` };
  });
}

function withCount({ name, isMe, memories }: Person, now = ''): string {
  return `${name}${now} (${isMe ? 'you, ' : ''}in ${quantity(memories, 'memory', 'memories')})`;
}

export function undoChange(options: PeopleRun): Promise<void> {
  return changePeople(options, async ({ people }) => {
    const before = await people.list();
    const undone = await people.undo();
    const text = undone ? describeUndo(before, await people.list()) : 'There is no change of names to undo.';
    return { json: { event: 'undone', undone }, text };
  });
}

/** Returns what an undo changed, as far as the list of people shows it. */
function describeUndo(before: readonly Person[], after: readonly Person[]): string {
  const changed = after.filter((person) => !before.some((each) => isDeepStrictEqual(each, person)));
  const removed = before.filter(({ name }) => !after.some((each) => each.name === name));
  const parts = [
    'The last change of names is undone.',
    changed.length > 0 && `Changed: ${changed.map((person) => withCount(person)).join(', ')}.`,
    removed.length > 0 && `Removed: ${removed.map(({ name }) => name).join(', ')}.`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** Removes a person with all names. The mirror writes its pages itself. */
export async function forgetPerson(person: string, options: PeopleRun): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const { leftFiles } = await changeMirror({ ...options, signal }, ({ people }) => people.forget(person));
  const done = `${person} is forgotten: the speakers have their labels again. Earlier changes of names cannot be undone any more.`;
  await printResult(
    { json: { event: 'forgotten', leftFiles }, text: [done, ...leftLines(leftFiles)].join('') },
    options,
  );
  signal.throwIfAborted();
}

/** Changes names, prints the result, and writes the pages. */
export async function changePeople(options: PeopleRun, change: (mirror: Mirror) => Promise<Result>): Promise<void> {
  const signal = abortOnInterruption(options.process);
  await changeMirror({ ...options, signal }, async (mirror) => {
    await printResult(await change(mirror), options);
    await writeNamedPages(mirror, { ...options, signal });
  });
}

function toPersonRow({ name, isMe, memories, doubtful }: Person) {
  return { name, me: isMe, memories, doubtful };
}

/** The name is the last column, because right-to-left text would reorder other columns. */
function cellsOfPeople(people: readonly Person[]): string[][] {
  const cells = people.map(({ name, isMe, memories, doubtful }) => [
    ...[memories, doubtful].map((count) => count.toLocaleString('en-US')),
    isMe ? `${name} (you)` : name,
  ]);
  return [['MEMORIES', 'DOUBTFUL', 'NAME'], ...cells];
}

function toDoubtRow({ memoryId, name, startedAt, person, label, likely }: Doubt) {
  return { memoryId, name, started_at: startedAt, person, speaker: label, likely };
}

const narrowTerminal = 60;

function cellsOfDoubts({ process }: PeopleRun): (doubts: readonly Doubt[]) => string[][] {
  const isNarrow = terminalWidth(process) < narrowTerminal;
  return (doubts) => {
    const rows = doubts.map(({ memoryId, label, likely, person, name }) => [
      memoryId,
      label,
      likely ?? '',
      person,
      name,
    ]);
    return [['ID', 'WAS', 'LIKELY', 'PERSON', 'MEMORY'], ...rows].map((row) => (isNarrow ? row.slice(0, -1) : row));
  };
}
