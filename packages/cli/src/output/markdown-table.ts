import { escapeMarkdown } from './escape-markdown.ts';

/** Returns rows as a table in Markdown. The first row is the heading. */
export function markdownTable([heading = [], ...rows]: readonly (readonly string[])[]): string {
  const lines = [heading.map(toCell), heading.map(() => '---'), ...rows.map((row) => row.map(toCell))];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function toCell(text: string): string {
  return escapeMarkdown(text).replace(/(?<!\\)\|/g, '\\|');
}
