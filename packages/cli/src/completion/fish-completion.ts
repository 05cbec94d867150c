import type { CompletionEntry, Word } from './completion-entries.ts';

/** Returns a script for fish: `memory-read completion fish | source`. */
export function fishCompletion(entries: readonly CompletionEntry[]): string {
  return `# Completion of memory-read for fish.
function __memory_read_at
    set -l words (commandline -opc)
    set -l at "$words[2]"
    test "$at" = keys; and set at (string trim -- "keys $words[3]")
    test "$at" = "$argv[1]"
end
${entries.flatMap(completions).join('\n')}
`;
}

function completions({ path, words, values }: CompletionEntry): string[] {
  const choices = new Map(values.map(({ option, choices: known }) => [option, known]));
  return words.map((word) => {
    const condition = `complete -c memory-read -n '__memory_read_at "${path}"'`;
    return `${condition} ${argumentsOf(word, choices.get(word.text))} -d ${quote(word.description)}`;
  });
}

/** Without known values, the shell suggests files. */
function argumentsOf({ text }: Word, choices: readonly string[] | undefined): string {
  if (!text.startsWith('--')) return `-f -a ${text}`;
  const name = `-l ${text.slice('--'.length)}`;
  if (choices === undefined) return name;
  return choices.length === 0 ? `${name} -r` : `${name} -x -a '${choices.join(' ')}'`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll(`'`, `\\'`)}'`;
}
