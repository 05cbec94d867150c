import { allFindings, createFindings, type IssueList } from './findings.ts';
import type { ResponseShape } from './response-shapes.ts';
import { isObject, typeName } from './shape.ts';

/** How closely responses are checked. */
export type ValidationMode = 'strict' | 'warn' | 'off';

/** What a check found: `broken` fails the call, `drift` is reported. */
export interface ResponseCheck {
  readonly broken: IssueList;
  readonly drift: IssueList;
}

const noIssues: IssueList = Object.freeze({ issues: [], truncated: false });

/** Checks a parsed body; in all modes but `off`, absent nullable fields are filled in with null. */
export function checkResponse(body: unknown, { root, shape }: ResponseShape, mode: ValidationMode): ResponseCheck {
  const hasRoot = root === 'array' ? Array.isArray(body) : isObject(body);
  if (!hasRoot) return { broken: wrongRoot(body, root), drift: noIssues };
  if (mode === 'off') return { broken: noIssues, drift: noIssues };

  const findings = createFindings();
  shape.inspect(body, findings);
  if (mode === 'warn') return { broken: noIssues, drift: allFindings(findings) };
  return findings;
}

function wrongRoot(body: unknown, root: string): IssueList {
  const message = `expected ${root}, received ${typeName(body)}`;
  return { issues: [{ kind: 'wrong_type', path: [], message }], truncated: false };
}
