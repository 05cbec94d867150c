import type { Profile } from './profile.ts';

/** What a run found. */
export interface ConformanceReport {
  /** The root of the API that was asked. */
  baseUrl: string;
  profile: Profile;
  /** Whether the API could be read, something was checked, and nothing failed. */
  passed: boolean;
  /** `'granted'` once a list or a memory was read with `apiKey`; `'refused'` when the answer was 401; else `'none'`. */
  access: 'granted' | 'refused' | 'none';
  /** How many requests were made. */
  requests: number;
  /** One for each rule of the profile, in the order of the specification. */
  results: RuleResult[];
}

/** What became of one rule. */
export type RuleResult = PassedRule | FailedRule | SkippedRule;

interface CheckedRule {
  /** Id of the rule, such as `4.1.2` or `5.4 missing`. */
  rule: string;
  /** Section of the specification, such as `4.1`. */
  section: string;
  /** What the rule says. */
  title: string;
}

/** The server keeps the rule, as far as it was seen. */
export interface PassedRule extends CheckedRule {
  status: 'passed';
}

/** The server breaks the rule. */
export interface FailedRule extends CheckedRule {
  status: 'failed';
  evidence: Evidence;
}

/** The rule could not be checked in this run. */
export interface SkippedRule extends CheckedRule {
  status: 'skipped';
  /** Why, and what would let it be checked. */
  reason: string;
}

/** Why a rule failed. It never holds a key or the query of a signed URL. */
export interface Evidence {
  /** The request. */
  sent: string;
  /** What came back, as far as it matters. */
  received: string;
  /** What the specification asks for. */
  expected: string;
}
