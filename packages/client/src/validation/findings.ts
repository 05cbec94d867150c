import type { BrokenKind, DriftKind, ResponseIssue } from './response-issue.ts';

/** How many issues are kept of each sort: a list of 40,000 bad fields must not become 40,000 objects. */
const MAXIMUM_ISSUES = 20;

/** Issues up to the maximum, and whether there were more. */
export interface IssueList {
  readonly issues: ResponseIssue[];
  truncated: boolean;
}

/** What a walk through a response has found so far, and where it stands. */
export interface Findings {
  /** Keys from the root to the value under inspection; pushed and popped, so that a clean response costs no copies. */
  readonly path: (string | number)[];
  /** What breaks the structure. */
  readonly broken: IssueList;
  /** What passes and is only reported. */
  readonly drift: IssueList;
}

export function createFindings(): Findings {
  return { path: [], broken: { issues: [], truncated: false }, drift: { issues: [], truncated: false } };
}

export function addBroken(findings: Findings, kind: BrokenKind, message: string): void {
  addIssue(findings.broken, { kind, path: findings.path, message });
}

export function addDrift(findings: Findings, kind: DriftKind, message: string): void {
  addIssue(findings.drift, { kind, path: findings.path, message });
}

/** Both sorts as one list, the gravest first. */
export function allFindings({ broken, drift }: Findings): IssueList {
  const issues = [...broken.issues, ...drift.issues];
  return {
    issues: issues.slice(0, MAXIMUM_ISSUES),
    truncated: broken.truncated || drift.truncated || issues.length > MAXIMUM_ISSUES,
  };
}

function addIssue(list: IssueList, issue: ResponseIssue): void {
  if (list.issues.length === MAXIMUM_ISSUES) list.truncated = true;
  else list.issues.push({ ...issue, path: [...issue.path] });
}
