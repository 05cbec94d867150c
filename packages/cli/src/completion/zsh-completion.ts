import type { CompletionEntry, Word } from './completion-entries.ts';

/** Returns a script for zsh. Source it after `compinit`, or save it as `_memory-read` in a folder of `fpath`. */
export function zshCompletion(entries: readonly CompletionEntry[]): string {
  return `#compdef memory-read
# Completion of memory-read for zsh.
_memory_read() {
  local at=''
  local -a candidates
  ((CURRENT > 2)) && at=$words[2]
  ((CURRENT > 3)) && [[ $at == keys ]] && at="keys $words[3]"
  case "$at $words[CURRENT-1]" in
${entries.flatMap(valueCases).join('\n')}
    *) case $at in
${entries.map(wordCase).join('\n')}
    esac ;;
  esac
  if (($#candidates)); then _describe memory-read candidates && return; fi
  _files
}
if [[ $funcstack[1] == _memory-read ]]; then _memory_read; else compdef _memory_read memory-read; fi
`;
}

/** Without known values, the shell suggests files. */
function valueCases({ path, values }: CompletionEntry): string[] {
  const known = values.filter(({ choices }) => choices.length > 0);
  const unknown = values.filter(({ choices }) => choices.length === 0).map(({ option }) => `'${path} ${option}'`);
  return [
    ...(unknown.length === 0 ? [] : [`    ${unknown.join('|')}) ;;`]),
    ...known.map(({ option, choices }) => `    '${path} ${option}') candidates=(${choices.join(' ')}) ;;`),
  ];
}

function wordCase({ path, words }: CompletionEntry): string {
  return `      '${path}') candidates=(${words.map(candidate).join(' ')}) ;;`;
}

function candidate({ text, description }: Word): string {
  return `'${text}:${description.replaceAll(`'`, `'\\''`)}'`;
}
