import type { Profile } from './profile.ts';

/** Result of a run. */
export interface ConformanceReport {
  /** Root of the API that was checked. */
  baseUrl: string;
  /** Rules that were checked. */
  profile: Profile;
  /** True if the API could be read, at least one rule was checked, and no rule failed. */
  passed: boolean;
  /** Access with `apiKey`: `'granted'` if a list or a memory was read, `'refused'` after a 401, otherwise `'none'`. */
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

/** Result of a rule that no request of the run broke. */
export interface PassedRule extends CheckedRule {
  status: 'passed';
}

/** Result of a rule that the server breaks. */
export interface FailedRule extends CheckedRule {
  status: 'failed';
  evidence: Evidence;
}

/** Result of a rule that could not be checked in this run. */
export interface SkippedRule extends CheckedRule {
  status: 'skipped';
  /** Reason why the rule could not be checked, with the option that it needs. */
  reason: string;
}

/** Request and response that break a rule. They never contain an API key or the query of a signed URL. */
export interface Evidence {
  /** Request that was sent. */
  sent: string;
  /** Relevant part of the response. */
  received: string;
  /** Behaviour that the specification requires. */
  expected: string;
}
