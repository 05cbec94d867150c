import type { BrokenKind, DriftKind, ResponseIssue } from './response-issue.ts';

/** Maximum number of issues of each sort: a list of 40,000 invalid fields must not become 40,000 objects. */
const MAXIMUM_ISSUES = 20;

/** Issues up to the maximum, and whether there were more. */
export interface IssueList {
  readonly issues: ResponseIssue[];
  truncated: boolean;
}

/** Issues found so far, and the path of the current value. */
export interface Findings {
  /** Keys from the root to the current value. They are pushed and popped, so that a valid response costs no copies. */
  readonly path: (string | number)[];
  /** Issues that fail a `strict` call. */
  readonly broken: IssueList;
  /** Issues that are only reported. */
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

/** Returns both sorts of issues as one list, broken ones first. */
export function allFindings({ broken, drift }: Pick<Findings, 'broken' | 'drift'>): IssueList {
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
