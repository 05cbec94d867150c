import { allFindings, createFindings, type Findings } from './findings.ts';
import type { ResponseShape } from './response-shapes.ts';

/** Mode in which responses are checked. */
export type ValidationMode = 'strict' | 'warn' | 'skip' | 'off';

/** Result of a check: `broken` issues fail the call, `drift` issues are reported. */
export type ResponseCheck = Omit<Findings, 'path'>;

/** Checks a parsed body. In all modes except `off`, absent nullable fields are set to null. */
export function checkResponse(body: unknown, { root, shape }: ResponseShape, mode: ValidationMode): ResponseCheck {
  const findings = createFindings();
  const hasRoot = typeof body === 'object' && body !== null && Array.isArray(body) === (root === 'array');
  if (!hasRoot || mode !== 'off') shape(body, findings);
  return hasRoot && mode === 'warn' ? { ...createFindings(), drift: allFindings(findings) } : findings;
}
