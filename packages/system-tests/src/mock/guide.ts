import type { Measurements } from './measure-faults.ts';
import { type FaultCase, faultCases, serverFaultCases } from './observe-faults.ts';

/** Returns the page with new measurements. Their section is the last one of the page. */
export function withMeasurements(guide: string, measurements: Measurements): string {
  const heading = '## Measured behaviour of each fault\n';
  const [before = ''] = guide.split(heading);
  return `${before}${heading}\n${render(measurements)}\n`;
}

interface Row {
  name: string;
  /** What each environment saw. */
  cells: string[];
}

function render({ places: measurements, fromServer }: Measurements): string {
  const rows: Row[] = faultCases.map((faultCase, index) => ({
    name: nameOf(faultCase),
    cells: measurements.map(({ place, seen }) => seen[index] ?? `nothing in ${place}`),
  }));
  const isAlike = ({ cells }: Row) => new Set(cells).size === 1;
  const places = measurements.map(({ place }) => place);
  return [
    `Generated: how \`fetch\` ended in ${places.length} environments, for \`listMemories\` or for \`bytes=4-1003\` of a recording.`,
    '',
    'A complete response is the same in all environments:',
    '',
    ...table(
      ['Fault', 'Response'],
      byCells(rows.filter(isAlike)).map(([name, [response = '']]) => [name, inCode(response)]),
    ),
    '',
    'Otherwise, the text of the error comes from the runtime or from MSW:',
    '',
    ...table(
      ['Fault', ...places],
      byCells(rows.filter((row) => !isAlike(row)).map(withBeginning)).map(([name, cells]) => [
        name,
        ...cells.map(inCode),
      ]),
    ),
    '',
    'The faults that only a mock server has, and its network error, for `fetch` of Node:',
    '',
    ...table(
      ['Fault', 'Result'],
      byCells(
        serverFaultCases.map((each, index) => ({ name: nameOf(each), cells: fromServer.slice(index, index + 1) })),
      ).map(([name, [result = '']]) => [name, inCode(result)]),
    ),
  ].join('\n');
}

/** Moves what arrives before the error, if it is the same in all environments, to the name. */
function withBeginning({ name, cells }: Row): Row {
  const [begun, ...others] = new Set(cells.map((cell) => cell.split(', then ')[0]));
  if (begun === undefined || others.length > 0) return { name, cells };
  return {
    name: `${name}: ${inCode(begun)}, then`,
    cells: cells.map((cell) => cell.slice(begun.length + ', then '.length)),
  };
}

/** Returns one row for all faults that end alike. */
function byCells(rows: readonly Row[]): [names: string, cells: string[]][] {
  const groups = Map.groupBy(rows, ({ cells }) => cells.join('\n'));
  return Array.from(groups.values(), (group) => [group.map(({ name }) => name).join('; '), group[0]?.cells ?? []]);
}

function table(head: string[], rows: string[][]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function nameOf({ fault, media, end }: FaultCase): string {
  const text =
    typeof fault === 'string'
      ? `'${fault}'`
      : JSON.stringify(fault)
          .replace(/"(\w+)":/g, ' $1: ')
          .replace(/"([\w-]+)":/g, " '$1': ")
          .replaceAll('"', "'");
  const name = `\`${text.replaceAll('}', ' }')}\`${media ? ' of media' : ''}`;
  if (end === 'abort') return `${name}, aborted`;
  return end === 'reset' ? `${name}, and a reset` : name;
}

function inCode(text = ''): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
