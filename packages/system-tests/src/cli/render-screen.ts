import xterm from '@xterm/headless';

/**
 * Returns what a terminal of this width shows after the output, with the lines that have scrolled away: redrawn lines
 * are in their last state, and long lines are wrapped.
 */
export async function renderScreen(output: string, columns: number): Promise<string> {
  const terminal = new xterm.Terminal({ cols: columns, rows: 40, scrollback: 10_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output.replaceAll(/\r?\n/g, '\r\n'), resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, line) => active.getLine(line)?.translateToString(true) ?? '');
  terminal.dispose();
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}
