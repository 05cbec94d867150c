import { conformanceRules, type RuleDescription, uncheckableStatements } from '@memory-read/conformance';

/** Returns the page with the current rules. */
export function withRules(guide: string): string {
  const heading = '## Every rule\n';
  const [written = ''] = guide.split(heading);
  const [specification, reference] = (['specification', 'reference'] as const).map((profile) =>
    conformanceRules.filter((rule) => rule.profile === profile),
  );
  return [
    `${written}${heading}`,
    `${specification?.length} rules check the specification. Each rule is named after the statement that it checks.\n`,
    tableOf(specification ?? []),
    '\n## Every decision\n',
    `The profile \`reference\` adds ${reference?.length} rules. Each rule is named after its page in [decisions](../decisions/README.md).\n`,
    tableOf(reference ?? []),
    '\n## Statements that a run cannot check\n',
    '| Statement | Reason |',
    '|---|---|',
    ...uncheckableStatements.map(({ statement, reason }) => `| ${statement} | ${reason} |`),
    '',
  ].join('\n');
}

function tableOf(rules: readonly RuleDescription[]): string {
  const rows = rules.map(
    ({ id, title, needs }) =>
      `| ${id} | ${title.replaceAll('<', '&lt;')} | ${needs.map((need) => `\`${need}\``).join(', ')} |`,
  );
  return ['| Rule | Requirement | Needs |', '|---|---|---|', ...rows].join('\n');
}
