import type { Measurement } from './measure-faults.ts';
import { type FaultCase, faultCases } from './observe-faults.ts';

/** The page with what was measured, between the heading of its own and the next one. */
export function withMeasurements(guide: string, measurements: Measurement[]): string {
  const heading = '### What was seen of each\n';
  const [before = '', after = ''] = guide.split(heading);
  return `${before}${heading}\n${render(measurements)}\n${after.slice(after.indexOf('\n## '))}`;
}

function render(measurements: Measurement[]): string {
  const rows = faultCases.map((faultCase, index) => ({
    name: nameOf(faultCase),
    cells: measurements.map(({ place, seen }) => seen[index] ?? `nothing in ${place}`),
  }));
  const alike = rows.filter(({ cells }) => new Set(cells).size === 1);
  const differing = rows.filter((row) => !alike.includes(row));
  const places = measurements.map(({ place }) => place);
  return [
    `\`packages/system-tests/src/mock\` plays each on \`listMemories\` and writes this part from how \`fetch\` ended: with`,
    `${places.slice(0, -1).join(', with ')}, and with`,
    `${places.at(-1)}.`,
    '',
    ...table(
      ['Fault', 'In all of them'],
      alike.map(({ name, cells }) => [name, inCode(cells[0])]),
    ),
    '',
    'Where there is no answer, the words of the error are those of the runtime or of MSW:',
    '',
    ...table(
      ['Fault', ...places],
      differing.map(({ name, cells }) => [name, ...cells.map(inCode)]),
    ),
  ].join('\n');
}

function table(head: string[], rows: string[][]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function nameOf({ fault, end }: FaultCase): string {
  const text =
    typeof fault === 'string'
      ? `'${fault}'`
      : JSON.stringify(fault)
          .replace(/"(\w+)":/g, ' $1: ')
          .replaceAll('"', "'");
  const name = `\`${text.replace('}', ' }')}\``;
  if (end === 'abort') return `${name}, and the caller aborts`;
  return end === 'reset' ? `${name}, and the mock is reset` : name;
}

function inCode(text = ''): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
