import { type ClientScenario, clientScenarios } from '@memory-read/conformance/clients';

/** Returns the page with the current scenarios. */
export function withScenarios(page: string): string {
  const heading = '## Every scenario\n';
  const [written = ''] = page.split(heading);
  const sections = Map.groupBy(clientScenarios, ({ section }) => section);
  const counts = (['safe', 'reference'] as const).map(
    (profile) => clientScenarios.filter((scenario) => scenario.profile === profile).length,
  );
  return [
    `${written}${heading}`,
    `The profile \`safe\` has ${counts[0]} scenarios. The profile \`reference\` adds ${counts[1]}.`,
    ...[...sections].map(tableOf),
    '',
  ].join('\n');
}

function tableOf([section, rows]: [string, readonly ClientScenario[]]): string {
  return [
    `\n### ${section.charAt(0).toUpperCase()}${section.slice(1)}\n`,
    '| Scenario | Operation | Profile | The command meets | What passes |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ id, operation, profile, title, expected }) =>
        `| \`${id}\` | ${operation} | ${profile} | ${title} | ${expected} |`,
    ),
  ].join('\n');
}
