import type { CompletionEntry, CompletionOption, Suggestion, Word } from './completion-entries.ts';

/** Commands of a shell that suggest known words and look up others. */
export interface ShellCalls {
  words: (words: readonly Partial<Word>[]) => string;
  files: string;
  folders: string;
  ids: string;
  /** Labels of the speakers of the memory `$first`. */
  speakers: string;
  people: string;
  profiles: string;
  sinks: string;
}

/**
 * Returns commands for bash and zsh that suggest words at the cursor.
 *
 * `typed` has the words between `memory-read` and the cursor, `current` the word of the cursor. The function of a shell
 * declares `at`, `option`, `place`, `first` and `word` as local. `first` is the first argument.
 */
export function shellCases(entries: readonly CompletionEntry[], calls: ShellCalls): string {
  const options = entries.flatMap(({ path, options: all }) => all.map((option) => ({ ...option, path })));
  const withValue = options.filter(({ value }) => value !== undefined);
  const offered = withValue.filter(({ value }) => value?.length !== 0);
  const patterns = (chosen: readonly (CompletionOption & { path: string })[]) =>
    chosen.map(({ path, text }) => `'${path}:${text}'`).join(' | ');
  const groups = entries.filter(({ commands }) => commands.length > 0).map(({ path }) => `'${path}'`);
  const variants = entries
    .filter(({ path }) => path.endsWith(' --all'))
    .map(({ path }) => `'${path.replace(' --all', ':--all')}'`);
  const offer = (suggestion: Suggestion) =>
    typeof suggestion === 'string' ? calls[suggestion] : calls.words(suggestion.map((text) => ({ text })));
  return `  for word in "\${typed[@]}"; do
    case "$at:$word" in
      *:=) ;;
      ${variants.join(' | ')}) at="$at $word" option= ;;
      ${patterns(withValue)}) option=$word ;;
      *:-*) option= ;;
      *)
        if [[ -n $option ]]; then
          case "$at:$option" in
            ${patterns(withValue.filter(({ repeats }) => repeats))}) ;;
            *) option= ;;
          esac
        else
          case $at in
            ${groups.join(' | ')}) at="\${at:+$at }$word" ;;
            *) first=\${first:-$word}; ((place += 1)) ;;
          esac
        fi ;;
    esac
  done
  if [[ $current == -* ]]; then
    case $at in
${entries.map(({ path, options: own }) => `      '${path}') ${calls.words(own)} ;;`).join('\n')}
    esac
  elif [[ -n $option ]]; then
    case "$at:$option" in
${offered.map(({ path, text, value = [] }) => `      '${path}:${text}') ${offer(value)} ;;`).join('\n')}
    esac
  else
    case "$at:$place" in
${entries.flatMap((entry) => argumentRows(entry, offer, calls)).join('\n')}
    esac
  fi`;
}

function argumentRows(
  { path, commands, arguments: all }: CompletionEntry,
  offer: (suggestion: Suggestion) => string,
  calls: ShellCalls,
): string[] {
  if (commands.length > 0) return [`      '${path}:0') ${calls.words(commands)} ;;`];
  return all.flatMap(({ suggestion, repeats }, index) => {
    const place = repeats ? `'${path}:'*` : `'${path}:${index}'`;
    return suggestion.length === 0 ? [] : [`      ${place}) ${offer(suggestion)} ;;`];
  });
}
