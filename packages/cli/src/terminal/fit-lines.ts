import { displayWidth } from './fit-text.ts';
import { wrapText } from './wrap-text.ts';

/** A command that can be pasted: an example, or the end of a message such as `Open it: memory-read open`. */
const command = /^ +memory-read \w|: memory-read \w[^.]*$/;

/** A line cannot end within quotes. A lone surrogate is in no visible text. */
const quoted = /'[^']*'/g;
const unbrokenSpace = '\ud800';
const unbroken = (text: string) => text.replaceAll(' ', unbrokenSpace);

/**
 * Wraps lines that are wider than the terminal. The rest of an indented line or of an item is indented below it.
 *
 * A command of an example is continued as a shell reads it, so that it can be pasted.
 */
export function fitLines(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      if (displayWidth(line) <= width) return line;
      const isCommand = command.test(line);
      const begin = /^ */.exec(line)?.[0] ?? '';
      const rest = begin !== '' || isCommand || line.startsWith('- ') ? `${begin}  ` : '';
      const end = isCommand ? ' \\' : '';
      return wrapText(
        isCommand ? line.trimStart().replace(quoted, unbroken) : line.trimStart(),
        width - rest.length - end.length,
      )
        .map((part) => part.trim())
        .join(`${end}\n${rest}`)
        .replaceAll(unbrokenSpace, ' ')
        .replace(/^/, begin);
    })
    .join('\n');
}
