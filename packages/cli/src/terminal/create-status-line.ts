import { fitText } from './fit-text.ts';
import { visibleLine } from './visible-text.ts';

/** Where a {@link StatusLine} is drawn. */
export interface StatusLineOptions {
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write' | 'columns'>;
  /** Draws nothing at all. */
  isQuiet?: boolean | undefined;
}

/** One line at the end of a terminal that says what goes on, redrawn in place; nothing anywhere else. */
export interface StatusLine {
  show(text: string): void;
  /** Takes the line away, before something else is written and at the end. */
  clear(): void;
}

const returnAndErase = '\r\x1b[K';

export function createStatusLine({ stream, isQuiet = false }: StatusLineOptions): StatusLine {
  if (!stream.isTTY || isQuiet) return { show() {}, clear() {} };
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
