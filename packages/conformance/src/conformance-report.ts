import type { Profile } from './profile.ts';

/** Result of a run. */
export interface ConformanceReport {
  /** Root of the API that was checked. */
  baseUrl: string;
  profile: Profile;
  /** Whether the API could be read, something was checked, and nothing failed. */
  passed: boolean;
  /** `'granted'` once a list or a memory was read with `apiKey`; `'refused'` when the answer was 401; else `'none'`. */
  access: 'granted' | 'refused' | 'none';
  /** Number of requests that were sent. */
  requests: number;
  /** One result for each rule of the profile, in the order of the specification. */
  results: RuleResult[];
}

/** Result of one rule. */
export type RuleResult = PassedRule | FailedRule | SkippedRule;

interface CheckedRule {
  /** Id of the rule, such as `4.1.2` or `5.4 missing`. */
  rule: string;
  /** Section of the specification, such as `4.1`. */
  section: string;
  /** The rule in words. */
  title: string;
}

/** No request of the run broke the rule. */
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
  /** Why it could not be checked, and which option would allow it. */
  reason: string;
}

/** Why a rule failed. It never contains a key or the query of a signed URL. */
export interface Evidence {
  /** The request. */
  sent: string;
  /** The relevant part of the response. */
  received: string;
  /** What the specification requires. */
  expected: string;
}
