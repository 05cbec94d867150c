import type { Command } from 'commander';
import { memoryArgument } from '../ids/find-memory.ts';
import { addMirrorOption } from '../options/mirror-option.ts';
import { addOutputOptions } from '../terminal/output-options.ts';

export function define(command: Command): void {
  command
    .argument('<memory-id>', memoryArgument)
    .argument('[speaker]', 'label of the speaker, such as "Speaker 1"')
    .argument('[person]', 'name of the person')
    .option('--me', 'the person is you; without a name, the one who was you before')
    .option('--remove', 'remove the name of the speaker');
  addOutputOptions(addMirrorOption(command))
    .addHelpText('after', help)
    .action(async (memoryId, speaker, person, options) =>
      (await import('../mirror/run-name.ts')).runName(memoryId, speaker, person, options),
    );
}

const help = `
Without a speaker, it prints who speaks in the memory, with what each one said.
A name stands in place of the label in search, pages and captions. It is stored
in the mirror only. If the memory is processed again, the name follows what was
said. If that is not certain, the label is shown, and mirror prints a note.

Lines of JSON: {"memoryId":…,"speaker":…,"person":…,"segments":…,
"duration_seconds":…,"excerpts":[{"offset_seconds":…,"text":…}]}, with "me" and
"doubtful" where they apply; {"event":"named","memoryId":…,"speaker":…,
"person":…}; {"event":"unnamed","memoryId":…,"speaker":…,"removed":true}.
Ends with 4 if there is no such memory or speaker.

Examples:
  memory-read name latest
  memory-read name mem_1 "Speaker 1" "Ada Lovelace"
  memory-read name mem_1 "Speaker 2" --me
  memory-read name mem_1 "Speaker 1" --remove`;
