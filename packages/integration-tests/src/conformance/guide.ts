import { conformanceRules, type RuleDescription, uncheckableStatements } from '@memory-read/conformance';

/** Returns the page with the current rules. */
export function withRules(page: string): string {
  const heading = '## Every rule\n';
  const [written = ''] = page.split(heading);
  const [specification = [], reference = []] = (['specification', 'reference'] as const).map((profile) =>
    conformanceRules.filter((rule) => rule.profile === profile),
  );
  const reasons = Map.groupBy(uncheckableStatements, ({ reason }) => reason);
  return [
    `${written}${heading}`,
    `${specification.length} rules check the specification. Each is named after its statement. Options that a rule needs are in brackets.\n`,
    listOf(specification),
    '\n## Every decision\n',
    `The profile \`reference\` adds ${reference.length} rules, named after their pages in [decisions](../decisions/README.md).\n`,
    listOf(reference),
    '\n## Statements that a run cannot check\n',
    '| Statements | Reason |',
    '|---|---|',
    ...[...reasons].map(([reason, rows]) => `| ${rows.map(({ statement }) => statement).join(', ')} | ${reason} |`),
    '',
  ].join('\n');
}

function listOf(rules: readonly RuleDescription[]): string {
  const items = rules.map(({ id, title, needs }) => {
    const options = needs.length === 0 ? '' : ` (${needs.map((need) => `\`${need}\``).join(', ')})`;
    return `- **${id}**: ${title.replaceAll('<', '&lt;')}${options}`;
  });
  return items.join('\n');
}
