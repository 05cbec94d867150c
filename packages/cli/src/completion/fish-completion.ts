import type { CompletionEntry, CompletionOption, Suggestion } from './completion-entries.ts';

/** Returns a script for fish: `memory-read completion fish | source`. */
export function fishCompletion(entries: readonly CompletionEntry[]): string {
  const options = entries.flatMap(({ path, options: all }) => all.map((option) => ({ ...option, path })));
  const withValue = options.filter(({ value }) => value !== undefined);
  const names = (chosen: readonly (CompletionOption & { path: string })[]) =>
    chosen.map(({ path, text }) => quote(`${path}:${text}`)).join(' ');
  const groups = entries.filter(({ commands }) => commands.length > 0).map(({ path }) => quote(path));
  const variants = entries
    .filter(({ path }) => path.endsWith(' --all'))
    .map(({ path }) => quote(path.replace(' --all', ':--all')));
  return `# Completion of memory-read for fish.
# Prints the command before the cursor, the option or the number of the argument that is completed, and the first argument.
function __memory_read_place
    set -l at
    set -l option
    set -l place 0
    set -l first
    set -l typed (commandline -opc)
    for word in $typed[2..-1]
        switch "$at:$word"
            case ${variants.join(' ')}
                set at "$at $word"
                set option
            case ${names(withValue)}
                set option $word
            case '*:-*'
                set option
            case '*'
                if test -n "$option"
                    switch "$at:$option"
                        case ${names(withValue.filter(({ repeats }) => repeats))}
                        case '*'
                            set option
                    end
                else if contains -- "$at" ${groups.join(' ')}
                    set at (string trim -- "$at $word")
                else
                    set place (math $place + 1)
                    set -q first[1]; or set first $word
                end
        end
    end
    echo -- $at
    test -n "$option"; and echo -- $option; or echo $place
    echo -- $first
end
function __memory_read_in
    test (__memory_read_place)[1] = "$argv[1]"
end
function __memory_read_at
    set -l place (__memory_read_place)
    test "$place[1]" = "$argv[1]"; and string match -q -- "$argv[2]" $place[2]
end
complete -c memory-read -f
${entries.flatMap(completions).join('\n')}
`;
}

function completions(entry: CompletionEntry): string[] {
  const { path, commands, options, arguments: all } = entry;
  const at = (place: string) => `complete -c memory-read -n ${quote(`__memory_read_at "${path}" "${place}"`)}`;
  return [
    ...commands.map(({ text, description }) => `${at('0')} -a ${text} -d ${quote(description)}`),
    ...all.flatMap(({ suggestion, repeats }, index) => offer(at(repeats ? '?*' : String(index)), suggestion)),
    ...options.flatMap(({ repeats, text, value }) => (repeats && value !== undefined ? offer(at(text), value) : [])),
    ...options.map((option) => {
      const { text, short, description, value } = option;
      const name = `${short === undefined ? '' : `-s ${short} `}-l ${text.slice('--'.length)}`;
      const values = value === undefined ? '' : ` ${valuesOf(value)}`;
      return `complete -c memory-read -n ${quote(`__memory_read_in "${path}"`)} ${name}${values} -d ${quote(description)}`;
    }),
  ];
}

function offer(condition: string, suggestion: Suggestion): string[] {
  if (suggestion === 'files') return [`${condition} -F`];
  return suggestion.length === 0 ? [] : [`${condition} -a ${wordsOf(suggestion)}`];
}

function valuesOf(suggestion: Suggestion): string {
  if (suggestion === 'files') return '-r -F';
  return suggestion.length === 0 ? '-x' : `-x -a ${wordsOf(suggestion)}`;
}

function wordsOf(suggestion: Exclude<Suggestion, 'files'>): string {
  return typeof suggestion === 'string' ? quote(lookups[suggestion]) : quote(suggestion.join(' '));
}

const lookups = {
  folders: '(__fish_complete_directories (commandline -ct) "")',
  ids: '(memory-read complete-ids (commandline -ct) 2>/dev/null)',
  speakers: '(memory-read complete-speakers (__memory_read_place)[3] 2>/dev/null)',
  people: '(memory-read complete-people 2>/dev/null)',
  profiles: '(memory-read complete-profiles 2>/dev/null)',
  sinks: '(memory-read complete-sinks 2>/dev/null)',
};

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll(`'`, `\\'`)}'`;
}
