import { canRedraw, returnAndErase } from './can-redraw.ts';
import { fitText } from './fit-text.ts';
import { visibleLine } from './visible-text.ts';

/** Options of {@link createStatusLine}. */
export interface StatusLineOptions {
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write' | 'columns'>;
  /** Whether to draw nothing. */
  isQuiet?: boolean | undefined;
}

/** A status line that is redrawn on a terminal. Elsewhere, nothing is printed. */
export interface StatusLine {
  show(text: string): void;
  /** Clears the line. Must be called before other output and at the end. */
  clear(): void;
}

export function createStatusLine({ stream, isQuiet = false }: StatusLineOptions): StatusLine {
  if (!canRedraw(stream) || isQuiet) return { show() {}, clear() {} };
  let isDrawn = false;
  return {
    show(text) {
      // One column is left free, because a terminal may wrap after the last.
      stream.write(returnAndErase + fitText(visibleLine(text), (stream.columns || 80) - 1));
      isDrawn = true;
    },
    clear() {
      if (isDrawn) stream.write(returnAndErase);
      isDrawn = false;
    },
  };
}
