import { allFindings, createFindings, type IssueList } from './findings.ts';
import type { ResponseShape } from './response-shapes.ts';
import { isObject, typeName } from './shape.ts';

/** Mode in which responses are checked. */
export type ValidationMode = 'strict' | 'warn' | 'skip' | 'off';

/** Result of a check: `broken` issues fail the call, `drift` issues are reported. */
export interface ResponseCheck {
  readonly broken: IssueList;
  readonly drift: IssueList;
}

const noIssues: IssueList = Object.freeze({ issues: [], truncated: false });

/** Checks a parsed body. In all modes except `off`, absent nullable fields are set to null. */
export function checkResponse(body: unknown, { root, shape }: ResponseShape, mode: ValidationMode): ResponseCheck {
  const hasRoot = root === 'array' ? Array.isArray(body) : isObject(body);
  if (!hasRoot) return { broken: wrongRoot(body, root), drift: noIssues };
  if (mode === 'off') return { broken: noIssues, drift: noIssues };

  const findings = createFindings();
  shape.inspect(body, findings);
  if (mode === 'warn') return { broken: noIssues, drift: allFindings(findings) };
  return findings;
}

/** Returns the items of a list that break the structure. */
export function brokenItems(body: unknown, { item }: ResponseShape): Set<unknown> {
  const items: unknown[] = item && Array.isArray(body) ? body : [];
  return new Set(
    items.filter((value) => {
      const findings = createFindings();
      item?.inspect(value, findings);
      return findings.broken.issues.length > 0;
    }),
  );
}

function wrongRoot(body: unknown, root: string): IssueList {
  const message = `expected ${root}, received ${typeName(body)}`;
  return { issues: [{ kind: 'wrong_type', path: [], message }], truncated: false };
}
