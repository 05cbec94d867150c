import { accessMutants } from '../../conformance/mutants/access-mutants.ts';
import { decisionMutants } from '../../conformance/mutants/decision-mutants.ts';
import { endpointMutants } from '../../conformance/mutants/endpoint-mutants.ts';
import { resourceMutants } from '../../conformance/mutants/resource-mutants.ts';
import type { Change } from '../../conformance/raw-server/change.ts';

const mutants = [...resourceMutants, ...endpointMutants, ...accessMutants, ...decisionMutants];

/** What a server of the conformance tests breaks, by its name there. */
export function changeNamed(name: string): Change {
  const mutant = mutants.find((each) => each.name === name);
  if (mutant === undefined)
    throw new Error(`Failed to break a server: because no mutant is named “${name}”. Name one.`);
  return mutant.change;
}
