import xterm, { type IBufferLine, type Terminal } from '@xterm/headless';

/** Neighbouring characters of one line that look the same. */
export interface Run {
  text: string;
  /** Width in columns. */
  columns: number;
  isBold: boolean;
  /** Number of a colour in the palette of the terminal, or -1 for the usual one. */
  color: number;
}

/**
 * Returns what a terminal of this width shows after the output, with the lines that have scrolled away: redrawn lines
 * are in their last state, and long lines are wrapped.
 */
export async function renderScreen(output: string, columns: number): Promise<string> {
  const lines = await readScreen(output, columns, (line) => line.translateToString(true).trimEnd());
  return lines.join('\n').replace(/^\n+|\n+$/g, '');
}

/** Returns the same lines with their looks. */
export function renderRuns(output: string, columns: number): Promise<Run[][]> {
  return readScreen(output, columns, (line, { buffer }) => {
    const runs: Run[] = [];
    const cell = buffer.active.getNullCell();
    for (let column = 0; column < line.translateToString(true).length; column += cell.getWidth() || 1) {
      line.getCell(column, cell);
      const look = { isBold: cell.isBold() !== 0, color: cell.isFgPalette() ? cell.getFgColor() : -1 };
      const last = runs.at(-1);
      const run = last?.isBold === look.isBold && last.color === look.color ? last : { text: '', columns: 0, ...look };
      if (run !== last) runs.push(run);
      run.text += cell.getChars() || ' ';
      run.columns += cell.getWidth();
    }
    return runs;
  });
}

async function readScreen<Line>(
  output: string,
  columns: number,
  read: (line: IBufferLine, terminal: Terminal) => Line,
): Promise<Line[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows: 40, scrollback: 10_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output.replaceAll(/\r?\n/g, '\r\n'), resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, line) => read(active.getLine(line) as IBufferLine, terminal));
  terminal.dispose();
  return lines;
}
