import type { CompletionEntry } from './completion-entries.ts';

/** Returns a script for bash: `source <(memory-read completion bash)`. */
export function bashCompletion(entries: readonly CompletionEntry[]): string {
  return `# Completion of memory-read for bash.
_memory_read() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} at= words=
  ((COMP_CWORD > 1)) && at=\${COMP_WORDS[1]}
  ((COMP_CWORD > 2)) && [[ $at == keys ]] && at="keys \${COMP_WORDS[2]}"
  case "$at $previous" in
${entries.flatMap(valueCases).join('\n')}
    *) case $at in
${entries.map(wordCase).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _memory_read memory-read
`;
}

/** Without known values, the shell suggests files. */
function valueCases({ path, values }: CompletionEntry): string[] {
  const known = values.filter(({ choices }) => choices.length > 0);
  const unknown = values.filter(({ choices }) => choices.length === 0).map(({ option }) => `'${path} ${option}'`);
  return [
    ...(unknown.length === 0 ? [] : [`    ${unknown.join('|')}) ;;`]),
    ...known.map(({ option, choices }) => `    '${path} ${option}') words='${choices.join(' ')}' ;;`),
  ];
}

function wordCase({ path, words }: CompletionEntry): string {
  return `      '${path}') words='${words.map(({ text }) => text).join(' ')}' ;;`;
}
