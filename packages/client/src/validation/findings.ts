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
  /** First issue that fails a `strict` call, for each item of a list, by its index. */
  readonly items: Map<unknown, ResponseIssue>;
}

export function createFindings(): Findings {
  return {
    path: [],
    broken: { issues: [], truncated: false },
    drift: { issues: [], truncated: false },
    items: new Map(),
  };
}

export function addBroken(findings: Findings, kind: BrokenKind, message: string): void {
  const { path, items } = findings;
  if (!items.has(path[0])) items.set(path[0], { kind, path: [...path], message });
  addIssue(findings.broken, { kind, path, message });
}

export function addDrift(findings: Findings, kind: DriftKind, message: string): void {
  addIssue(findings.drift, { kind, path: findings.path, message });
}

/** Returns both sorts of issues as one list, broken ones first. */
export function allFindings({ broken, drift }: Pick<Findings, 'broken' | 'drift'>): IssueList {
  const { issues, truncated } = firstIssues([...broken.issues, ...drift.issues]);
  return { issues, truncated: truncated || broken.truncated || drift.truncated };
}

/** Returns the issues up to the maximum. */
export function firstIssues(issues: readonly ResponseIssue[]): IssueList {
  return { issues: issues.slice(0, MAXIMUM_ISSUES), truncated: issues.length > MAXIMUM_ISSUES };
}

function addIssue(list: IssueList, issue: ResponseIssue): void {
  if (list.issues.length === MAXIMUM_ISSUES) list.truncated = true;
  else list.issues.push({ ...issue, path: [...issue.path] });
}
