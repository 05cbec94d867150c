import type { ClientScenario } from './client-scenario.ts';
import { scenarios } from './scenarios/scenarios.ts';

/**
 * The scenarios of both profiles, in the order of the results.
 *
 * @example
 * ```ts
 * console.log(clientScenarios.filter(({ section }) => section === 'redirects').map(({ id }) => id));
 * ```
 */
export const clientScenarios: readonly ClientScenario[] = scenarios.map(
  ({ id, section, title, operation, profile, expected }) => ({ id, section, title, operation, profile, expected }),
);
