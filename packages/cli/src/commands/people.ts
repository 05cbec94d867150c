import type { Command } from 'commander';
import { addMirrorOption } from '../options/mirror-option.ts';
import { addOutputOptions } from '../terminal/output-options.ts';

export function define(people: Command): void {
  const add = (name: string, description: string, help: string) =>
    addOutputOptions(addMirrorOption(people.command(name).description(description))).addHelpText('after', help);
  const person = 'name of the person';
  add('list', 'List the people who were named, and in how many memories.', listHelp)
    .option('--doubtful', 'list the names that are doubtful since their memory was processed again')
    .action(async (options) => (await import('../mirror/run-people.ts')).listPeople(options));
  add('rename', 'Rename a person in all memories.', renameHelp)
    .argument('<person>', person)
    .argument('<name>', 'new name')
    .action(async (from, to, options) => (await import('../mirror/run-people.ts')).renamePerson(from, to, options));
  add('merge', 'Make two people one, in all memories.', mergeHelp)
    .argument('<person>', 'name that is replaced')
    .argument('<into>', 'name of the person that stays')
    .action(async (from, into, options) => (await import('../mirror/run-people.ts')).mergePeople(from, into, options));
  add('forget', 'Remove a person and all their names for good.', forgetHelp)
    .argument('<person>', person)
    .action(async (name, options) => (await import('../mirror/run-people.ts')).forgetPerson(name, options));
  add('undo', 'Undo the last change of names. Can be repeated.', undoHelp).action(async (options) =>
    (await import('../mirror/run-people.ts')).undoChange(options),
  );
  add('export', 'Print all names as a file, which is their backup.', exportHelp)
    .option('-o, --output <file>', 'file or folder to write to (default: standard output)')
    .action(async (options) => (await import('../mirror/people-file.ts')).exportPeople(options));
  add('import', 'Take the names of a file: all of them or none.', importHelp)
    .argument('<file>', 'file of people export; - is standard input')
    .action(async (file, options) => (await import('../mirror/people-file.ts')).importPeople(file, options));
}

const listHelp = `
Lines of JSON: {"name":…,"me":false,"memories":…,"doubtful":…}, and with
--doubtful {"memoryId":…,"name":…,"started_at":…,"person":…,"speaker":…,
"likely":…}: the label when the person was named, and the likely one now.`;

const renameHelp = `
The line of JSON is {"event":"renamed","person":…}. Ends with 1 if the name is
that of another person: merge the two. Ends with 4 if there is no such person.

Example:
  memory-read people rename Ada "Ada Lovelace"`;

const mergeHelp = `
The line of JSON is {"event":"merged","person":…}. Ends with 4 if there is no
such person.

Example:
  memory-read people merge "Ada L." "Ada Lovelace"`;

const forgetHelp = `
The speakers have their labels again. The name stays in words of transcripts,
and in pages that you edited, which leftFiles names. This cannot be undone, and
earlier changes cannot be undone any more.
The line of JSON is {"event":"forgotten","leftFiles":[…]}. Ends with 4 if there
is no such person.`;

const undoHelp = `
It undoes name, rename, merge and import, the last change first. The last 50
changes are kept. purge and people forget remove them.
The line of JSON is {"event":"undone","undone":true}.`;

const exportHelp = `
The file has a line of JSON for each name, in a fixed order, and no text of a
memory. You can keep it in a repository and share it. --output replaces an
earlier export, and no other file.

Example:
  memory-read people export --output people.jsonl`;

const importHelp = `
Of two decisions about a speaker, the newer one counts. Names of memories that
are not in the mirror yet wait for them.
The line of JSON is {"event":"imported","changed":…,"unchanged":…,"skipped":…,
"waiting":…,"doubtful":…}. Ends with 1 if a line is invalid; then nothing is
imported.

Examples:
  memory-read people import people.jsonl
  memory-read people export --mirror other | memory-read people import -`;
