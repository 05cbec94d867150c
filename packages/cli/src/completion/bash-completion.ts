import type { CompletionEntry } from './completion-entries.ts';
import { shellCases } from './shell-cases.ts';

/** Returns a script for bash: `source <(memory-read completion bash)`. */
export function bashCompletion(entries: readonly CompletionEntry[]): string {
  const cases = shellCases(entries, {
    words: (words) => `words='${words.map(({ text }) => text).join(' ')}'`,
    files: '_memory_read_paths default -f',
    folders: '_memory_read_paths dirnames -d',
    ids: `words=$(memory-read complete-ids "$current" 2>/dev/null)`,
    speakers: '_memory_read_lines complete-speakers "$first"',
    people: '_memory_read_lines complete-people',
    profiles: `words=$(memory-read complete-profiles "$current" 2>/dev/null)`,
    sinks: `words=$(memory-read complete-sinks 2>/dev/null)`,
  });
  return `# Completion of memory-read for bash.
# Bash before version 4 has no compopt.
_memory_read_paths() {
  local IFS=$'\\n'
  compopt -o "$1" 2>/dev/null || COMPREPLY=($(compgen "$2" -- "$current"))
}
# Readline quotes what it inserts as a path. Names have spaces, and may have characters that a shell would run.
_memory_read_lines() {
  local line typed=\${current#[\\"\\']} quotes=
  typed=\${typed//\\\\/}
  compopt -o filenames 2>/dev/null || quotes=1
  while IFS= read -r line; do
    [[ $line == "$typed"* ]] || continue
    [[ -n $quotes ]] && printf -v line %q "$line"
    COMPREPLY+=("$line")
  done < <(memory-read "$@" 2>/dev/null)
}
_memory_read() {
  local current=\${COMP_WORDS[COMP_CWORD]} at= option= place=0 first= word words=
  local -a typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=()
  # Bash splits --option=value at the sign.
  [[ $current == = ]] && current=
${cases}
  # Names of files are not words: compgen -W would run commands in them.
  [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _memory_read memory-read
`;
}
