import type { JudgeRules } from './client-scenario.ts';

/** Result of {@link judgeClient}. */
export interface JudgeReport {
  /** Command that was judged, as text. */
  command: string;
  /** Scenarios that were run. */
  rules: JudgeRules;
  /** True if at least one scenario passed and none failed. */
  passed: boolean;
  /** One result for each scenario, in the order of {@link clientScenarios}. */
  results: readonly JudgeResult[];
}

/** Result of one scenario. */
export interface JudgeResult {
  /** Id of the scenario, such as `id-slash`. */
  scenario: string;
  /** Section of the scenario, such as `ids`. */
  section: string;
  /** What the scenario tries, as a phrase. */
  title: string;
  /** Profile that the scenario belongs to. */
  profile: JudgeRules;
  /** `'known'`: failed, as `knownFailures` says. */
  status: 'passed' | 'failed' | 'skipped' | 'known';
  /** Duration of the command, in milliseconds. */
  durationMs: number;
  /** Why the command skipped the scenario, or what it reported as its error. */
  reason?: string;
  /** What broke the scenario. */
  evidence?: JudgeEvidence;
}

/** Evidence of a failure. It never contains the key or the query of a URL. */
export interface JudgeEvidence {
  /** What passes, as a phrase. */
  expected: string;
  /** The first thing that breaks the scenario, such as `the key was sent in query`. */
  observed: string;
  /** The first 20 requests that arrived, as lines. */
  wire: readonly string[];
}
