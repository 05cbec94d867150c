import type { Change } from '../raw-server/change.ts';
import { accessMutants } from './access-mutants.ts';
import { decisionMutants } from './decision-mutants.ts';
import { endpointMutants } from './endpoint-mutants.ts';
import { resourceMutants } from './resource-mutants.ts';

/** Servers that break the specification. */
export const mutants = [...resourceMutants, ...endpointMutants, ...accessMutants];

/** The same, and servers that follow the specification but not the decisions. */
export const allMutants = [...mutants, ...decisionMutants];

/** Returns the change of a mutant with this name. */
export function changeNamed(name: string): Change {
  const mutant = allMutants.find((each) => each.name === name);
  if (mutant) return mutant.change;
  throw new Error(`Failed to break a server: no mutant is named “${name}”. Choose another name.`);
}
