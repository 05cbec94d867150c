import type { CompletionEntry, Word } from './completion-entries.ts';
import { shellCases } from './shell-cases.ts';

/** Returns a script for zsh. Source it after `compinit`, or save it as `_memory-read` in a folder of `fpath`. */
export function zshCompletion(entries: readonly CompletionEntry[]): string {
  const cases = shellCases(entries, {
    words: (words) => `candidates=(${words.map(candidate).join(' ')})`,
    files: '_files',
    folders: '_files -/',
    ids: `compadd -- \${(f)"$(memory-read complete-ids "$current" 2>/dev/null)"}`,
    speakers: `compadd -- \${(f)"$(memory-read complete-speakers "$first" 2>/dev/null)"}`,
    people: `compadd -- \${(f)"$(memory-read complete-people 2>/dev/null)"}`,
    profiles: `compadd -- \${(f)"$(memory-read complete-profiles "$current" 2>/dev/null)"}`,
    sinks: `compadd -- \${(f)"$(memory-read complete-sinks 2>/dev/null)"}`,
  });
  return `#compdef memory-read
# Completion of memory-read for zsh.
_memory_read() {
  local current=$words[CURRENT] at= option= place=0 first= word
  local -a candidates typed=("\${(@)words[2,CURRENT-1]}")
  if [[ $current == --*=* ]]; then
    typed+=("\${current%%=*}")
    current=\${current#*=}
    compset -P '*='
  fi
${cases}
  (($#candidates)) && _describe memory-read candidates
}
if [[ $funcstack[1] == _memory-read ]]; then _memory_read; else compdef _memory_read memory-read; fi
`;
}

function candidate({ text = '', description }: Partial<Word>): string {
  return quote(description === undefined ? text : `${text}:${description}`);
}

function quote(text: string): string {
  return `'${text.replaceAll(`'`, `'\\''`)}'`;
}
