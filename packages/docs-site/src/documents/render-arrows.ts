/** Renders the arrows of a Mermaid flowchart as a table, which is readable without a script. */
export function renderArrows(diagram: string): string {
  const arrows = Array.from(diagram.matchAll(/^\s*([\w-]+) (-->|-\.->) ([\w-]+)(?:\(\["(.+?)"\]\))?$/gm));
  const sources = [...new Set(arrows.map(([, source = '']) => source))];
  const targetsOf = (source: string, kind: string) =>
    arrows
      .filter(([, from, arrow]) => from === source && arrow === kind)
      .map(([, , , id = '', label]) => `\`${label ?? id}\``)
      .join(', ') || '–';
  const rows = sources.map(
    (source) => `| \`${source}\` | ${targetsOf(source, '-->')} | ${targetsOf(source, '-.->')} |`,
  );
  return ['| Package | imports of this repository | and of others |', '|---|---|---|', ...rows].join('\n');
}
