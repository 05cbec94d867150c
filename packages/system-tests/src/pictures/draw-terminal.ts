import type { Run } from '../cli/render-screen.ts';

/** Colours of a picture. */
interface Theme {
  window: string;
  frame: string;
  title: string;
  text: string;
  /** Colours of the terminal's palette by their numbers. */
  palette: Readonly<Record<number, string>>;
}

const light: Theme = {
  window: '#ffffff',
  frame: '#d0d7de',
  title: '#59636e',
  text: '#1f2328',
  palette: { 1: '#cf222e', 2: '#116329', 3: '#7d4e00', 4: '#0550ae', 5: '#6639ba', 6: '#1b6f83', 8: '#59636e' },
};
const dark: Theme = {
  window: '#0d1117',
  frame: '#3d444d',
  title: '#9198a1',
  text: '#f0f6fc',
  palette: { 1: '#ff7b72', 2: '#3fb950', 3: '#e3b341', 4: '#79c0ff', 5: '#d2a8ff', 6: '#56d4dd', 8: '#9198a1' },
};
export const themes = { light, dark };

const column = 8.4;
const row = 20;
const margin = 20;
const bar = 36;
const fonts = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Draws a window of a terminal. The picture names no font of its own, so each run of text states its width. */
export function drawTerminal(lines: readonly (readonly Run[])[], columns: number, theme: Theme): string {
  const width = Math.round(columns * column + 2 * margin);
  const height = bar + lines.length * row + margin;
  const buttons = [0, 1, 2].map(
    (index) => `<circle cx="${margin + 6 + index * 20}" cy="18" r="6" fill="${theme.frame}"/>`,
  );
  const said = lines
    .map((line) =>
      escaped(
        line
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      ),
    )
    .join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="said">
<title id="said">${said}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${theme.window}" stroke="${theme.frame}"/>
${buttons.join('\n')}
<g font-family="${fonts}" font-size="14" fill="${theme.text}">
${lines.flatMap((line, index) => drawLine(line, bar + (index + 0.75) * row, theme)).join('\n')}
</g>
</svg>
`;
}

function drawLine(line: readonly Run[], y: number, { palette }: Theme): string[] {
  let columns = 0;
  return line.flatMap((run) => {
    const x = margin + columns * column;
    columns += run.columns;
    if (run.text.trim() === '') return [];
    const fill = palette[run.color];
    const look = `${fill === undefined ? '' : ` fill="${fill}"`}${run.isBold ? ' font-weight="600"' : ''}`;
    const length = `textLength="${rounded(run.columns * column)}" lengthAdjust="spacingAndGlyphs"`;
    // Renderers of SVG collapse other spaces.
    return [`<text x="${rounded(x)}" y="${y}" ${length}${look}>${escaped(run.text).replaceAll(' ', '\u00a0')}</text>`];
  });
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
