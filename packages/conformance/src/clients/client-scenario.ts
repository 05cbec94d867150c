/** What a judged command reads. */
export type JudgedOperation = 'list' | 'get' | 'download';

/**
 * Scenarios of a judge. `safe` is what no client may get wrong: no leak, no wrong or partial data as success, no hang, no
 * hammering. `reference` adds recovery.
 */
export type JudgeRules = 'safe' | 'reference';

/** A scenario of {@link clientScenarios}. */
export interface ClientScenario {
  /** Name of the scenario, such as `id-slash`. */
  readonly id: string;
  /** Name of the group, such as `ids`. No scenario has the same name. */
  readonly section: string;
  /** What the scenario tries, as a phrase. */
  readonly title: string;
  /** Operation that the command runs. */
  readonly operation: JudgedOperation;
  /** Profile that the scenario belongs to. */
  readonly profile: JudgeRules;
  /** What passes, as a phrase. */
  readonly expected: string;
}
