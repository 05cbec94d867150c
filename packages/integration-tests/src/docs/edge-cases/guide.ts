import { readEdgeCases, type ShownEdgeCase } from './read-edge-cases.ts';

const headings: Record<string, string> = {
  'state-cases.ts': 'State of processing',
  'segment-cases.ts': 'Segments',
  'text-cases.ts': 'Texts and names',
  'id-cases.ts': 'Ids',
  'time-cases.ts': 'Times',
  'media-cases.ts': 'Media',
};

/** Returns the page with the current edge cases. */
export function withEdgeCases(guide: string): string {
  const [written = ''] = guide.split('## Every edge case\n');
  const cases = readEdgeCases('packages/fixtures/src/index.ts');
  const tables = Object.entries(headings).flatMap(([file, heading]) => [
    `\n### ${heading}\n`,
    tableOf(cases.filter((edgeCase) => edgeCase.file === file)),
  ]);
  return [`${written}## Every edge case\n`, `There are ${cases.length} edge cases.`, ...tables, ''].join('\n');
}

/** Of each sentence, the part that says what the record is. Editors show the reason too. */
function tableOf(cases: readonly ShownEdgeCase[]): string {
  const rows = cases.map(({ name, sentence }) => `| \`${name}\` | ${sentence.replaceAll('\n', ' ').replace(/(: |, which |\.$).*/, '')} |`);
  return ['| Name | What it is |', '|---|---|', ...rows].join('\n');
}
