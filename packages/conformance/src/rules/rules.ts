import type { Profile } from '../profile.ts';
import { referenceRules } from './reference.ts';
import type { Rule } from './rule.ts';
import { serviceRules } from './section-1-service.ts';
import { memoryRules } from './section-2-1-memory.ts';
import { partRules } from './section-2-parts.ts';
import { stateRules } from './section-3-states.ts';
import { listRules } from './section-4-1-list.ts';
import { getRules } from './section-4-2-get.ts';
import { authenticationRules } from './section-5-authentication.ts';
import { errorRules } from './section-7-errors.ts';

/** Every rule, in the order of the specification, followed by the decisions of the reference server. */
export const rules: readonly Rule[] = [
  ...serviceRules,
  ...memoryRules,
  ...partRules,
  ...stateRules,
  ...listRules,
  ...getRules,
  ...authenticationRules,
  ...errorRules,
  ...referenceRules,
];

/** Returns the rules of a profile. */
export function rulesOfProfile(profile: Profile): readonly Rule[] {
  return rules.filter((rule) => profile === 'reference' || rule.profile === 'specification');
}
