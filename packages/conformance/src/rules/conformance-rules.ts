import type { RuleDescription } from './rule.ts';
import { rules } from './rules.ts';

/**
 * Every rule that a run checks, in the order of the specification, with the statements that it holds.
 *
 * Those of the profile `reference` come last.
 *
 * @example
 * ```ts
 * const secondSection = conformanceRules.filter(({ section }) => section.startsWith('2'));
 * console.log(secondSection.map(({ id }) => id).join(', '));
 * ```
 */
export const conformanceRules: readonly RuleDescription[] = rules.map(
  ({ check: _check, ...description }) => description,
);
