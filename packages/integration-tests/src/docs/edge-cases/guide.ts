import { readEdgeCases } from './read-edge-cases.ts';

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
  const lines = Object.entries(headings).map(([file, heading]) => {
    const names = cases.filter((edgeCase) => edgeCase.file === file).map(({ name }) => `\`${name}\``);
    return `- **${heading}**: ${names.join(', ')}`;
  });
  return [`${written}## Every edge case\n`, `There are ${cases.length} edge cases.`, '', ...lines, ''].join('\n');
}
