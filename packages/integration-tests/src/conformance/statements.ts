import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';

/**
 * Returns the ids of all statements of docs/specification.md: numbered rules, rows of tables, and the text between a
 * heading and its table.
 */
export function statementsOfSpecification(): string[] {
  const text = readFileSync(join(root, 'docs', 'specification.md'), 'utf8');
  const sections = text.split(/^##+ (?=\d)/m).slice(1);
  return [...new Set(sections.flatMap(statementsOfSection))];
}

function statementsOfSection(section: string): string[] {
  const [number = ''] = /^[\d.]*\d/.exec(section) ?? [];
  const [, ...lines] = section.split('\n');
  const rules = Array.from(section.matchAll(/^(?:\d+\.|-) \*\*([\d.]+)\*\*/gm), ([, id = '']) => id);
  const rows = lines.flatMap((line, index) => {
    const isRow = line.startsWith('|') && !line.startsWith('|---') && !lines[index + 1]?.startsWith('|---');
    return isRow ? [rowId(number, line)] : [];
  });
  const introduction = section.slice(section.indexOf('\n')).split(/^\||^\d+\. |^- |^##/m)[0] ?? '';
  const isStatement = introduction.replace('Rules:', '').trim() !== '';
  return [...(isStatement ? [number] : []), ...rows, ...rules];
}

function rowId(section: string, line: string): string {
  const name = (line.split('|')[1] ?? '').trim().replaceAll('`', '');
  return section === '7' ? `7 (${name})` : `${section} ${name}`;
}
