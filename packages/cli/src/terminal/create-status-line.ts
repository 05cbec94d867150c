import { canRedraw, returnAndErase } from './can-redraw.ts';
import { fitText } from './fit-text.ts';
import type { OutputOptions } from './output-options.ts';
import { visibleLine } from './visible-text.ts';

/** A status line that is redrawn on a terminal. Elsewhere and with `--quiet`, nothing is printed. */
export interface StatusLine {
  show(text: string): void;
  /** Clears the line. Must be called before other output and at the end. */
  clear(): void;
}

export function createStatusLine({ process, quiet }: Pick<OutputOptions, 'process' | 'quiet'>): StatusLine {
  if (!canRedraw(process) || quiet) return { show() {}, clear() {} };
  const { stderr } = process;
  let isDrawn = false;
  return {
    show(text) {
      // One column is left free, because a terminal may wrap after the last.
      stderr.write(returnAndErase + fitText(visibleLine(text), (stderr.columns || 80) - 1));
      isDrawn = true;
    },
    clear() {
      if (isDrawn) stderr.write(returnAndErase);
      isDrawn = false;
    },
  };
}
